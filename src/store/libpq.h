/*
 * Every function of libpq that the store uses. The library is loaded when a store in
 * PostgreSQL is opened, and costs nobody else a start.
 */
#ifndef DGM_STORE_LIBPQ_H
#define DGM_STORE_LIBPQ_H

#include <libpq-fe.h>
#include <stdbool.h>

struct err;

#define LIBPQ_FUNCTIONS(F)                                                               \
    F(PQclear)                                                                           \
    F(PQcmdTuples)                                                                       \
    F(PQconnectdbParams)                                                                 \
    F(PQconninfoFree)                                                                    \
    F(PQconninfoParse)                                                                   \
    F(PQconsumeInput)                                                                    \
    F(PQerrorMessage)                                                                    \
    F(PQexec)                                                                            \
    F(PQexecParams)                                                                      \
    F(PQexecPrepared)                                                                    \
    F(PQfinish)                                                                          \
    F(PQfname)                                                                           \
    F(PQfreemem)                                                                         \
    F(PQftype)                                                                           \
    F(PQgetisnull)                                                                       \
    F(PQgetlength)                                                                       \
    F(PQgetvalue)                                                                        \
    F(PQisBusy)                                                                          \
    F(PQnfields)                                                                         \
    F(PQnotifies)                                                                        \
    F(PQntuples)                                                                         \
    F(PQprepare)                                                                         \
    F(PQresultErrorField)                                                                \
    F(PQresultStatus)                                                                    \
    F(PQsetNoticeReceiver)                                                               \
    F(PQsocket)                                                                          \
    F(PQstatus)                                                                          \
    F(PQtransactionStatus)

struct libpq {
#define F(name) __typeof__(&name) name##_; /* NOLINT: a member's name */
    LIBPQ_FUNCTIONS(F)
#undef F
};

/* Filled once libpq_load() has said yes; nothing else is called before. */
extern struct libpq libpq;
bool libpq_load(struct err *err);

/* From here on the functions are those of the table, under their own names. */
#define PQclear             (libpq.PQclear_)
#define PQcmdTuples         (libpq.PQcmdTuples_)
#define PQconnectdbParams   (libpq.PQconnectdbParams_)
#define PQconninfoFree      (libpq.PQconninfoFree_)
#define PQconninfoParse     (libpq.PQconninfoParse_)
#define PQconsumeInput      (libpq.PQconsumeInput_)
#define PQerrorMessage      (libpq.PQerrorMessage_)
#define PQexec              (libpq.PQexec_)
#define PQexecParams        (libpq.PQexecParams_)
#define PQexecPrepared      (libpq.PQexecPrepared_)
#define PQfinish            (libpq.PQfinish_)
#define PQfname             (libpq.PQfname_)
#define PQfreemem           (libpq.PQfreemem_)
#define PQftype             (libpq.PQftype_)
#define PQgetisnull         (libpq.PQgetisnull_)
#define PQgetlength         (libpq.PQgetlength_)
#define PQgetvalue          (libpq.PQgetvalue_)
#define PQisBusy            (libpq.PQisBusy_)
#define PQnfields           (libpq.PQnfields_)
#define PQnotifies          (libpq.PQnotifies_)
#define PQntuples           (libpq.PQntuples_)
#define PQprepare           (libpq.PQprepare_)
#define PQresultErrorField  (libpq.PQresultErrorField_)
#define PQresultStatus      (libpq.PQresultStatus_)
#define PQsetNoticeReceiver (libpq.PQsetNoticeReceiver_)
#define PQsocket            (libpq.PQsocket_)
#define PQstatus            (libpq.PQstatus_)
#define PQtransactionStatus (libpq.PQtransactionStatus_)

#endif
