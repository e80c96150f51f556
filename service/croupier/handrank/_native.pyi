from _cffi_backend import FFI, _CDataBase

class _Lib:
    CROUPIER_PORTABLE: int
    CROUPIER_AVX2: int
    CROUPIER_AVX512: int

    def croupier_supported(self, implementation: int, /) -> bool: ...
    def croupier_rank_mask(self, cards: int, /) -> int: ...
    def croupier_rank_rows(
        self, implementation: int, rows: _CDataBase, hand_count: int, ranks: _CDataBase, /
    ) -> bool: ...
    def croupier_rank_columns(
        self, implementation: int, columns: _CDataBase, hand_count: int, ranks: _CDataBase, /
    ) -> bool: ...
    def croupier_rank_masks(
        self, implementation: int, masks: _CDataBase, hand_count: int, ranks: _CDataBase, /
    ) -> bool: ...
    def croupier_rank_masks_with(
        self, implementation: int, common: int, masks: _CDataBase, hand_count: int, ranks: _CDataBase, /
    ) -> bool: ...
    def croupier_rank_rows_of(
        self, rows: _CDataBase, card_count: int, hand_count: int, ranks: _CDataBase, /
    ) -> bool: ...
    def croupier_rank_omaha_rows(
        self, rows: _CDataBase, hole_count: int, hand_count: int, highs: _CDataBase, lows: _CDataBase, /
    ) -> bool: ...
    def croupier_rank(self, cards: bytes, card_count: int, /) -> int: ...
    def croupier_rank_low(self, cards: bytes, card_count: int, /) -> int: ...
    def croupier_rank_five(self, hole_cards: bytes, hand_count: int, ranks: _CDataBase, /) -> bool: ...
    def croupier_rank_holdem(
        self, hole_cards: bytes, hand_count: int, board: bytes, board_count: int, ranks: _CDataBase, /
    ) -> bool: ...
    def croupier_rank_omaha(
        self,
        hole_cards: bytes,
        hand_count: int,
        hole_count: int,
        board: bytes,
        board_count: int,
        ranks: _CDataBase,
        /,
    ) -> bool: ...
    def croupier_rank_omaha_low(
        self,
        hole_cards: bytes,
        hand_count: int,
        hole_count: int,
        board: bytes,
        board_count: int,
        ranks: _CDataBase,
        /,
    ) -> bool: ...
    def croupier_equity_enumerate(
        self, deal: _CDataBase, first: int, count: int, tallies: _CDataBase, /
    ) -> bool: ...
    def croupier_equity_sample(
        self, deal: _CDataBase, seed: int, first: int, count: int, tallies: _CDataBase, /
    ) -> bool: ...

ffi: FFI
lib: _Lib
