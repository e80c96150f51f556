#ifndef CROUPIER_BOARDS_H
#define CROUPIER_BOARDS_H

#include <stdio.h>

/* Writes the tables of hands of which two cards of the hole play with three of the board.
 *
 * Without a flush the best of them depends on the ranks on the board, of which there are 8,450 choices of 3, 4 and 5
 * cards, and on each two ranks in the hole, of which there are 91. So the table has a row for each board and a cell for
 * each two, and the hand's rank is the best of its 6, 10 or 15 cells. A board's row is found as in make_tables.c: the
 * low ranks say where it begins, the high ranks how far on it is. Lows depend on the sets of low ranks alone. */
void write_boards(FILE *out);

#endif
