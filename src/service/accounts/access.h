/*
 * Checks which account a call belongs to and what that account may see. Inside the
 * service, every lookup by id goes through these functions.
 */
#ifndef DGM_SERVICE_ACCESS_H
#define DGM_SERVICE_ACCESS_H

#include "service/instance.h"

struct store_question;
struct store_session;

/* NULL for the local user. */
const char *access_account(const struct dgm_access *access);
/* May it know where things are kept: paths and addresses? */
bool access_is_admin(const struct dgm_access *access);
/* Has it a key for certain datasources only? */
bool access_is_narrow(const struct dgm_access *access);
/* The account has been looked at already in these two. */
bool access_sees_session(const struct dgm_access *access,
                         const struct store_session *session);
bool access_sees_question(const struct dgm_access *access,
                          const struct store_question *question);

/* Whose request it is. */
const char *request_account(const struct dgm_request *request);
/* request NULL: the local user's. */
bool request_sees_question(const struct dgm_request *request,
                           const struct store_question *question);
/* A question that goes on sees what its bearer may see now. */
void request_bound(const struct dgm_request *request, struct run *run);
/* After limits_enter: begun NULL means that nothing came of it, and it counts no more. */
void request_settle(struct dgm *dgm, const struct dgm_request *request,
                    const void *begun);

#endif
