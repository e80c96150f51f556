/* Writes the evaluator's tables, as C, to the file named by its argument.
 *
 * Without a flush a hand's rank depends on how many cards of each rank it holds. These counts are split in two
 * parts: low (deuce to seven) and high (eight to ace). A part's key is the sum of its cards' weights, chosen so that
 * different parts have different keys. The low part picks a row, the high part a column, and
 *
 *     croupier_rank_table[croupier_row[low key + shift of so many cards] + croupier_column[high key]]
 *
 * is the hand's rank. What makes this small is that low cards seldom matter: of 2,886 rows 717 differ, and these are
 * laid over each other wherever their cells agree. Rows for 5, 6 and 7 cards are interleaved in one sparse index.
 *
 * High keys tell parts with one number of cards apart, no more; that keeps them small. It is enough, because the low
 * part says how many high cards there are, and its row has cells for those high parts alone.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "boards.h"
#include "lanes.h"
#include "parts.h"

enum {
    LOW_RANKS = 6,
    MAX_COLUMNS = MAX_PARTS,
    MAX_ROWS = 3 * MAX_PARTS,
    MAX_ROW_CELLS = 1 << 20,
    MAX_CELLS = 1 << 15,
    EMPTY = -1,
};

struct row {
    int hand_cards;
    int low_key;
    int first; /* column of the first cell */
    int length;
    const uint16_t *cells; /* 0 where no hand falls */
};

static struct part low_parts[MAX_PARTS], high_parts[MAX_PARTS];
static int low_count, high_count;
static int columns[MAX_KEYS];
static struct row rows[MAX_ROWS];
static int row_count;
static uint16_t row_cells[MAX_ROW_CELLS];
static int row_cells_used;
static int row_index[MAX_KEYS], row_shift[3];
static int row_index_size;
static int rank_table[MAX_CELLS];
static int rank_table_size;

/* Gives every high key the first column that no key with a part of as many cards has. High parts are listed with
 * fewest cards first, so that short rows come out dense. */
static void choose_columns(void) {
    static bool occurs[MAX_KEYS][HAND_CARDS + 1], taken[HAND_CARDS + 1][MAX_COLUMNS], chosen[MAX_KEYS];
    for (int i = 0; i < high_count; i++) {
        occurs[high_parts[i].key][high_parts[i].cards] = true;
    }
    for (int i = 0; i < high_count; i++) {
        int key = high_parts[i].key;
        if (chosen[key]) {
            continue;
        }
        int column = 0;
        for (int cards = 0; cards <= HAND_CARDS;) {
            bool clash = occurs[key][cards] && taken[cards][column];
            column += clash;
            cards = clash ? 0 : cards + 1;
        }
        for (int cards = 0; cards <= HAND_CARDS; cards++) {
            taken[cards][column] |= occurs[key][cards];
        }
        columns[key] = column;
        chosen[key] = true;
    }
}

static int fewest_cards_first(const void *left, const void *right) {
    const struct part *a = left;
    const struct part *b = right;
    return a->cards != b->cards ? a->cards - b->cards : a->key - b->key;
}

static uint16_t rank_of_parts(const struct part *low, const struct part *high) {
    struct rank_counts counts;
    for (int rank = 0; rank < RANKS; rank++) {
        counts.of[rank] = (uint8_t)(low->counts.of[rank] + high->counts.of[rank]);
    }
    return hand_rank(strength_of_counts(&counts));
}

static void add_row(const struct part *low, int hand_cards) {
    uint16_t cells[MAX_COLUMNS] = {0};
    int first = MAX_COLUMNS;
    int last = 0;
    for (int i = 0; i < high_count; i++) {
        if (low->cards + high_parts[i].cards == hand_cards) {
            int column = columns[high_parts[i].key];
            cells[column] = rank_of_parts(low, &high_parts[i]);
            first = column < first ? column : first;
            last = column > last ? column : last;
        }
    }
    rows[row_count++] = (struct row){hand_cards, low->key, first, last + 1 - first, row_cells + row_cells_used};
    for (int column = first; column <= last; column++) {
        require(row_cells_used < MAX_ROW_CELLS);
        row_cells[row_cells_used++] = cells[column];
    }
}

static int longest_first(const void *left, const void *right) {
    const struct row *a = left;
    const struct row *b = right;
    if (a->length != b->length) {
        return b->length - a->length;
    }
    return memcmp(a->cells, b->cells, (size_t)a->length * sizeof a->cells[0]);
}

static bool fits(const struct row *row, int place) {
    for (int i = 0; i < row->length; i++) {
        int cell = rank_table[place + i];
        if (cell && row->cells[i] && cell != row->cells[i]) {
            return false;
        }
    }
    return true;
}

/* Lays the row where it first fits, but for its empty columns; returns where its column 0 is. */
static int lay_row(const struct row *row) {
    int place = row->first;
    while (!fits(row, place)) {
        place++;
        require(place + row->length <= MAX_CELLS);
    }
    for (int i = 0; i < row->length; i++) {
        rank_table[place + i] |= row->cells[i];
    }
    if (place + row->length > rank_table_size) {
        rank_table_size = place + row->length;
    }
    return place - row->first;
}

/* Interleaves one hand size's sparse index of rows, by low key, with those already there. */
static void lay_index(int hand_cards, const int *begins, int keys) {
    int shift = 0;
    for (int key = 0; key < keys; key++) {
        int there = row_index[key + shift];
        if (begins[key] != EMPTY && there != EMPTY && there != begins[key]) {
            shift++;
            key = -1;
        }
    }
    for (int key = 0; key < keys; key++) {
        if (begins[key] != EMPTY) {
            row_index[key + shift] = begins[key];
            row_index_size = key + shift < row_index_size ? row_index_size : key + shift + 1;
        }
    }
    row_shift[hand_cards - 5] = shift;
}

static void lay_out(void) {
    static int begins[HAND_CARDS + 1][MAX_KEYS];
    for (int key = 0; key < MAX_KEYS; key++) {
        row_index[key] = begins[5][key] = begins[6][key] = begins[7][key] = EMPTY;
    }
    qsort(rows, (size_t)row_count, sizeof rows[0], longest_first);
    for (int i = 0; i < row_count; i++) {
        begins[rows[i].hand_cards][rows[i].low_key] = lay_row(&rows[i]);
    }
    for (int hand_cards = HAND_CARDS; hand_cards >= 5; hand_cards--) {
        lay_index(hand_cards, begins[hand_cards], key_count(low_parts, low_count));
    }
}

static void write_first_keys(FILE *out) {
    fprintf(out, "\nconst uint64_t croupier_first_key[3] = {");
    for (int i = 0; i < 3; i++) {
        fprintf(out, "UINT64_C(%llu),", 0x3333ULL << 32 | (unsigned long long)row_shift[i]);
    }
    fprintf(out, "};\n");
}

/* The keys of the sets of `ranks` ranks from `first` on. */
static void write_set_keys(FILE *out, const char *declaration, int first, int ranks) {
    int keys[1 << (RANKS - LOW_RANKS)] = {0};
    for (int set = 0; set < 1 << ranks; set++) {
        for (int rank = 0; rank < ranks; rank++) {
            keys[set] += (set >> rank & 1) * weights[first + rank];
        }
    }
    write_numbers(out, declaration, keys, 1 << ranks);
}

/* The orders in which the kernels put bytes. */
static void write_orders(FILE *out) {
    int bytes[LANE_BITS];
    for (int i = 0; i < LANE_BITS; i++) {
        bytes[i] = lane_bit(i / 128, i / 64 % 2, i % 64);
    }
    write_numbers(out, "const uint8_t croupier_lane_bits[512]", bytes, LANE_BITS);
    for (int i = 0; i < LANE_SUITS; i++) {
        bytes[i] = lane_suit_source(i / 64, i % 64);
    }
    write_numbers(out, "const uint8_t croupier_lane_suits[256]", bytes, LANE_SUITS);
    for (int i = 0; i < 64; i++) {
        bytes[i] = lane_row_source(i);
    }
    write_numbers(out, "const uint8_t croupier_lane_rows[64]", bytes, 64);
    fprintf(out, "\nconst uint64_t croupier_lane_turns[3] = {");
    for (int i = 0; i < 3; i++) {
        fprintf(out, "UINT64_C(%llu),", (unsigned long long)lane_turns(i));
    }
    fprintf(out, "};\n");
}

/* In the order of tables.h. */
static void write_words(FILE *out) {
    static const int words[] = {4, 5, 6, 7, 11, 16, 32, 48, 0xff, 0xe000, 5853, 5863, 7452};
    enum { LANES = 32, WORDS = sizeof words / sizeof words[0] };
    int lanes[WORDS * LANES];
    for (int i = 0; i < WORDS * LANES; i++) {
        lanes[i] = words[i / LANES];
    }
    write_numbers(out, "const uint16_t croupier_lane_words[32 * CROUPIER_LANE_WORDS]", lanes, WORDS * LANES);
    for (int i = 0; i < LANES; i++) {
        int quarter = i / 8;
        lanes[i] = quarter % 2 ? 0xffff : 0;
        lanes[LANES + i] = quarter > 1 ? 0xffff : 0;
        lanes[2 * LANES + i] = quarter == 1 || quarter == 2 ? 0xffff : 0;
    }
    write_numbers(out, "const uint16_t croupier_lane_quarters[32 * 3]", lanes, 3 * LANES);
}

static void write_lanes(FILE *out) {
    int numbers[SQUEEZED_SETS];
    for (unsigned i = 0; i < HIGH_SETS; i++) {
        numbers[i] = five_from_high_half(i);
        numbers[HIGH_SETS + i] = kickers_from_high_half(i);
        numbers[2 * HIGH_SETS + i] = first_of_made(i);
    }
    write_numbers(out, "const uint16_t croupier_lane_five[64]", numbers, HIGH_SETS);
    write_numbers(out, "const uint16_t croupier_lane_kickers[64]", numbers + HIGH_SETS, HIGH_SETS);
    write_numbers(out, "const uint16_t croupier_lane_made[64]", numbers + 2 * HIGH_SETS, MADE_SETS);
    for (unsigned i = 0; i < LOW_HALVES; i++) {
        numbers[i] = number_of_low_half(i);
    }
    write_numbers(out, "const uint8_t croupier_lane_low[128]", numbers, LOW_HALVES);
    for (unsigned i = 0; i < SQUEEZED_SETS; i++) {
        numbers[i] = hand_rank_of_kickers(i);
    }
    write_numbers(out, "const uint16_t croupier_kicker_table[8192]", numbers, SQUEEZED_SETS);
    write_orders(out);
    write_words(out);
}

static void write_tables(FILE *out) {
    int sets[2 * RANK_SETS];
    for (unsigned ranks = 0; ranks < RANK_SETS; ranks++) {
        sets[ranks] = __builtin_popcount(ranks) < 5 ? 0 : hand_rank(strength_of_flush(ranks));
        sets[RANK_SETS + ranks] = hand_rank_of_set(ranks);
    }
    int lows[LOW_SETS];
    for (unsigned ranks = 0; ranks < LOW_SETS; ranks++) {
        lows[ranks] = low_rank(ranks);
    }
    fprintf(out, "/* Written by native/tools/make_tables.c at build time. */\n#include \"tables.h\"\n");
    write_cards(out, "const struct croupier_card croupier_cards[256]", LOW_RANKS);
    write_first_keys(out);
    write_set_keys(out, "const uint16_t croupier_low_key[64]", 0, LOW_RANKS);
    write_set_keys(out, "const uint16_t croupier_high_key[128]", LOW_RANKS, RANKS - LOW_RANKS);
    for (int i = 0; i < row_index_size; i++) {
        row_index[i] = row_index[i] == EMPTY ? 0 : row_index[i];
    }
    write_numbers(out, "const uint16_t croupier_row[]", row_index, row_index_size);
    write_numbers(out, "const uint16_t croupier_column[]", columns, key_count(high_parts, high_count));
    write_numbers(out, "const uint16_t croupier_rank_table[]", rank_table, rank_table_size);
    write_numbers(out, "const uint16_t croupier_set_table[16384]", sets, 2 * RANK_SETS);
    write_numbers(out, "const uint8_t croupier_low_table[256]", lows, LOW_SETS);
    write_lanes(out);
}

int main(int argc, char **argv) {
    if (argc != 2) {
        fprintf(stderr, "usage: make_tables FILE\n");
        return 2;
    }
    make_scale();
    choose_weights(0, LOW_RANKS, false);
    choose_weights(LOW_RANKS, RANKS, true);
    low_count = list_parts(low_parts, 0, 0, LOW_RANKS, (struct part){0});
    high_count = list_parts(high_parts, 0, LOW_RANKS, RANKS, (struct part){0});
    qsort(high_parts, (size_t)high_count, sizeof high_parts[0], fewest_cards_first);
    choose_columns();
    for (int i = 0; i < low_count; i++) {
        for (int hand_cards = 5; hand_cards <= HAND_CARDS; hand_cards++) {
            if (low_parts[i].cards <= hand_cards) {
                add_row(&low_parts[i], hand_cards);
            }
        }
    }
    lay_out();
    FILE *out = fopen(argv[1], "w");
    require(out != NULL);
    write_tables(out);
    write_boards(out);
    return fclose(out) == 0 ? 0 : 1;
}
