/* rank() for Python, as a function of its own: for one hand a call through cffi costs more than the ranking. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "croupier_batch.h"
#include "croupier_rank.h"

/* Sets ValueError with what is wrong with cards that have no rank. It names no card. */
static void refuse(const uint8_t *cards, size_t card_count) {
    if (card_count < 5 || card_count > 7) {
        PyErr_Format(PyExc_ValueError, "a hand is ranked from 5 to 7 cards, not %zu", card_count);
        return;
    }
    for (size_t i = 0; i < card_count; i++) {
        if (cards[i] > 51) {
            PyErr_SetString(PyExc_ValueError, "a card is out of range: they go from 0 to 51");
            return;
        }
    }
    PyErr_SetString(PyExc_ValueError, "a card appears twice");
}

static PyObject *rank_of_cards(const void *cards, Py_ssize_t card_count) {
    uint16_t rank = croupier_rank(cards, (size_t)card_count);
    if (!rank) {
        refuse(cards, (size_t)card_count);
        return NULL;
    }
    return PyLong_FromLong(rank);
}

static PyObject *rank_of_set(PyObject *number) {
    static const uint64_t no_cards = UINT64_C(0xe000e000e000e000);
    unsigned long long set = PyLong_AsUnsignedLongLong(number);
    uint16_t rank = croupier_rank_mask(set);
    if (rank) {
        return PyLong_FromLong(rank);
    }
    if (PyErr_Occurred() || set & no_cards) {
        PyErr_SetString(PyExc_ValueError, "a set of cards has a bit that is none: bit 16 * suit + rank");
        return NULL;
    }
    return PyErr_Format(PyExc_ValueError, "a hand is ranked from 5 to 7 cards, not %d", __builtin_popcountll(set));
}

static PyObject *rank_of_number(PyObject *number) {
    PyObject *set = PyNumber_Index(number);
    PyObject *result = set ? rank_of_set(set) : NULL;
    Py_XDECREF(set);
    return result;
}

/* A buffer without dimensions is a number, as NumPy's scalars are. */
static PyObject *rank_of_buffer(PyObject *cards) {
    Py_buffer bytes;
    if (PyObject_GetBuffer(cards, &bytes, PyBUF_FULL_RO) < 0) {
        return NULL;
    }
    PyObject *result = NULL;
    if (bytes.ndim == 0) {
        result = rank_of_number(cards);
    } else if (bytes.itemsize != 1) {
        PyErr_Format(PyExc_ValueError, "cards are bytes, not numbers of %zd bytes", bytes.itemsize);
    } else if (!PyBuffer_IsContiguous(&bytes, 'C')) {
        PyErr_SetString(PyExc_ValueError, "the bytes of a buffer must lie in one piece");
    } else {
        result = rank_of_cards(bytes.buf, bytes.len);
    }
    PyBuffer_Release(&bytes);
    return result;
}

static PyObject *rank(PyObject *module, PyObject *cards) {
    (void)module;
    if (PyBytes_Check(cards)) {
        return rank_of_cards(PyBytes_AsString(cards), PyBytes_Size(cards));
    }
    if (PyLong_Check(cards)) {
        return rank_of_set(cards);
    }
    return PyObject_CheckBuffer(cards) ? rank_of_buffer(cards) : rank_of_number(cards);
}

PyDoc_STRVAR(rank_doc, "rank(cards, /)\n--\n\n"
                       "Hand rank of the best five among 5 to 7 cards: bytes, or an int with the bit 16 * suit + rank of\n"
                       "each. Raises ValueError unless they are so many and differ, TypeError for what is neither.");

static PyMethodDef functions[] = {{"rank", rank, METH_O, rank_doc}, {NULL, NULL, 0, NULL}};

static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "_face", NULL, 0, functions, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__face(void) { return PyModuleDef_Init(&definition); }
