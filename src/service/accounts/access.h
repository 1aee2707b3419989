/*
 * Which account a call belongs to, and what that account may see. Inside the service,
 * every lookup by id uses these functions.
 */
#ifndef DGM_SERVICE_ACCESS_H
#define DGM_SERVICE_ACCESS_H

#include "service/instance.h"

struct store_question;
struct store_session;

/* Who acts (model/actor.h): owns questions and conversations. NULL for the local user. */
const char *access_account(const struct dgm_access *access);
/* The account alone: owns what is written down for later, such as saved queries. NULL for
 * the local user. */
const char *access_owner(const struct dgm_access *access);
/* May the caller see paths and addresses of datasources? */
bool access_is_admin(const struct dgm_access *access);
/* Is the caller's key limited to certain datasources? */
bool access_is_narrow(const struct dgm_access *access);
/* For these two, the account was checked before. */
bool access_sees_session(const struct dgm_access *access,
                         const struct store_session *session);

/* The account of the request. */
const char *request_account(const struct dgm_request *request);
/* request NULL: the local user's. */
bool request_sees_question(const struct dgm_request *request,
                           const struct store_question *question);
/* A resumed question may use what its caller may see now. */
void request_bound(const struct dgm_request *request, struct run *run);
/* Call after limits_enter; begun NULL: the question did not start and is not counted. */
void request_settle(struct dgm *dgm, const struct dgm_request *request,
                    const void *begun);

#endif
