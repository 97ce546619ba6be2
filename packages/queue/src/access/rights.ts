/**
 * Who may do what: one row for each operation under /v1, named as OpenAPI names it. The service enforces it (auth.ts), and the
 * tests and `npm run security` take from it what they expect. What a row cannot say stands with its route: whose a history,
 * a group or an audience is.
 */
import type { Role } from '@courier-fleet/api-types'

export interface Right {
  /** the least role that may; `inbound`: only an inbound process, by itself; `presence`: a system that says who is online, an inbound process by itself, or an operator; `anyone`: without signing in */
  readonly least: Role | 'inbound' | 'presence' | 'anyone'
  /**
   * An inbound process may do it for the person whose contact it names; `own-channel`: only about the channel of that contact.
   * Nothing else is lent, for a contact is easily forged.
   */
  readonly lent?: true | 'own-channel'
  /** it stores something new, and is refused while Redis is nearly full; messages look for themselves, for repeats are answered */
  readonly stores?: true
  /** the code of the refusal when what is meant is another's, to somebody of the least role */
  readonly foreign?: string
}

const history = 'not-your-history'

export const rights: Readonly<Record<string, Right>> = {
  'POST /v1/history-keys': { least: 'trainer', lent: true, stores: true },
  'POST /v1/messages': { least: 'trainer', lent: true, foreign: 'not-your-audience' },
  'POST /v1/messages:bulk': { least: 'trainer' },
  'POST /v1/files': { least: 'trainer' },
  'GET /v1/histories': { least: 'student', lent: true },
  'GET /v1/history-counts': { least: 'student' },
  'PUT /v1/histories/{key}': { least: 'trainer', lent: true, foreign: history },
  'GET /v1/histories/{key}': { least: 'student', lent: true, foreign: history },
  'PATCH /v1/histories/{key}': { least: 'trainer', lent: true, foreign: history },
  'DELETE /v1/histories/{key}': { least: 'trainer', lent: true, foreign: history },
  'POST /v1/histories/{key}/release': { least: 'operator' },
  'GET /v1/histories/{key}/events': { least: 'student', lent: true, foreign: history },
  'GET /v1/histories/{key}/receipts': { least: 'student', lent: true, foreign: history },
  'GET /v1/histories/{key}/flow': { least: 'student', foreign: history },
  'GET /v1/histories/{key}/replay': { least: 'student', foreign: history },
  'GET /v1/histories/{key}/funnel': { least: 'student', foreign: history },
  'GET /v1/histories/{key}/forecast': { least: 'student', foreign: history },
  'POST /v1/histories/{key}/receipts:resolve': { least: 'trainer', foreign: history },
  'POST /v1/histories/{key}/receipts:resend': { least: 'trainer', foreign: history },
  'PUT /v1/histories/{key}/told-by-voice/{person}': { least: 'trainer', foreign: history },
  'DELETE /v1/histories/{key}/told-by-voice/{person}': { least: 'trainer', foreign: history },
  'POST /v1/histories/{key}/corrections': { least: 'trainer', foreign: history, stores: true },
  'POST /v1/histories/{key}:retry': { least: 'trainer', foreign: history },
  'POST /v1/histories/{key}/waiting:send-now': { least: 'trainer', lent: true, foreign: history },
  'POST /v1/histories/{key}/waiting:cancel': { least: 'trainer', lent: true, foreign: history },
  'GET /v1/histories/{key}/recount': { least: 'student', foreign: history },
  'POST /v1/histories/{key}/tracker': { least: 'student', lent: true, foreign: history },
  'POST /v1/audiences:resolve': { least: 'trainer', lent: true, foreign: 'not-your-audience' },
  'GET /v1/events': { least: 'trainer' },
  'GET /v1/events/{id}': { least: 'trainer' },
  'PUT /v1/events/{id}': { least: 'trainer', stores: true },
  'DELETE /v1/events/{id}': { least: 'trainer' },
  'GET /v1/limits': { least: 'student', lent: true },

  'GET /v1/people': { least: 'staff' },
  'GET /v1/people:search': { least: 'trainer', foreign: 'not-your-group' },
  'POST /v1/people:online': { least: 'presence' },
  'GET /v1/people/{id}': { least: 'student', foreign: 'not-allowed' },
  'PUT /v1/people/{id}': { least: 'admin', stores: true },
  'DELETE /v1/people/{id}': { least: 'admin' },
  'GET /v1/people/{id}/data': { least: 'admin' },
  'POST /v1/people/{id}:erase': { least: 'admin' },
  'GET /v1/erasures': { least: 'admin' },
  'GET /v1/groups': { least: 'trainer', lent: true },
  'GET /v1/groups/{id}': { least: 'trainer', foreign: 'not-your-group' },
  'PUT /v1/groups/{id}': { least: 'admin', stores: true },
  'DELETE /v1/groups/{id}': { least: 'admin' },
  'GET /v1/groups/{id}/members': { least: 'trainer', foreign: 'not-your-group' },
  'POST /v1/groups/{id}/members': { least: 'admin', stores: true },
  'DELETE /v1/groups/{id}/members/{person}': { least: 'admin' },
  'POST /v1/groups/{id}/codes': { least: 'trainer', stores: true, foreign: 'not-your-group' },
  'POST /v1/groups/{id}/application-link': { least: 'trainer', foreign: 'not-your-group' },
  'GET /v1/cohorts': { least: 'trainer', lent: true },
  'GET /v1/cohorts/{id}': { least: 'trainer', foreign: 'not-your-cohort' },
  'PUT /v1/cohorts/{id}': { least: 'admin', stores: true },
  'DELETE /v1/cohorts/{id}': { least: 'admin' },
  'GET /v1/topics': { least: 'student', lent: true },
  'GET /v1/topics/{id}': { least: 'student', lent: true },
  'PUT /v1/topics/{id}': { least: 'operator', stores: true },
  'DELETE /v1/topics/{id}': { least: 'operator' },
  'GET /v1/topics/{id}/members': { least: 'operator' },
  'PUT /v1/topics/{id}/members/me': { least: 'student', lent: true, stores: true },
  'DELETE /v1/topics/{id}/members/me': { least: 'student', lent: true },
  'PUT /v1/topics/{id}/members/{person}': { least: 'operator', stores: true },
  'DELETE /v1/topics/{id}/members/{person}': { least: 'operator' },
  'GET /v1/applications': { least: 'admin' },
  'POST /v1/applications/{id}:accept': { least: 'admin', stores: true },
  'POST /v1/applications/{id}:refuse': { least: 'admin' },
  'POST /v1/imports': { least: 'admin', stores: true },
  'GET /v1/imports': { least: 'admin' },
  'POST /v1/imports/{id}/take-back': { least: 'admin' },

  'GET /v1/contacts': { least: 'operator' },
  'PUT /v1/contacts/{channel}/{person}': { least: 'admin', stores: true },
  'POST /v1/contacts/{channel}/{person}': { least: 'admin', stores: true },
  'DELETE /v1/contacts/{channel}/{person}': { least: 'student', lent: 'own-channel', foreign: 'not-allowed' },
  'GET /v1/push-key': { least: 'student' },
  'PUT /v1/push-subscription': { least: 'student', stores: true },
  'PUT /v1/people/{id}/consents/{channel}': { least: 'student', lent: 'own-channel', foreign: 'not-allowed' },
  'GET /v1/people/{id}/diary': { least: 'student', lent: true, foreign: 'not-allowed' },
  'GET /v1/people/{id}/confirmations': { least: 'student', lent: true, foreign: 'not-allowed' },
  'PUT /v1/people/{id}/confirmations/{key}': { least: 'student', foreign: 'not-allowed' },
  'GET /v1/people/{id}/receipts': { least: 'student', foreign: 'not-allowed' },
  'GET /v1/people/{id}/wishes': { least: 'student', lent: true, foreign: 'not-allowed' },
  'PUT /v1/people/{id}/wishes': { least: 'student', lent: true, foreign: 'not-allowed' },
  'POST /v1/consents': { least: 'inbound' },
  'POST /v1/contacts:hear': { least: 'inbound' },
  'POST /v1/contacts:read': { least: 'inbound' },
  'POST /v1/contacts:set-aside': { least: 'inbound' },
  'POST /v1/confirmations': { least: 'inbound' },
  'POST /v1/enrolments': { least: 'student', stores: true, foreign: 'not-allowed' },
  'POST /v1/enrolments:redeem': { least: 'inbound' },
  'POST /v1/answers': { least: 'inbound', stores: true },

  'POST /v1/sign-ins': { least: 'anyone' },
  'POST /v1/sessions': { least: 'anyone' },
  'GET /v1/sessions': { least: 'student', foreign: 'not-allowed' },
  'DELETE /v1/sessions/{id}': { least: 'student', foreign: 'unknown-session' },
  'GET /v1/sessions/current': { least: 'student', lent: true },
  'DELETE /v1/sessions/current': { least: 'student' },

  'GET /v1/types': { least: 'student', lent: true },
  'GET /v1/types/{id}': { least: 'student', lent: true },
  'PUT /v1/types/{id}': { least: 'operator', stores: true },
  'DELETE /v1/types/{id}': { least: 'operator' },
  'GET /v1/roles': { least: 'trainer' },
  'PUT /v1/roles/{id}': { least: 'operator', stores: true },
  'DELETE /v1/roles/{id}': { least: 'operator' },
  'GET /v1/templates': { least: 'trainer', lent: true },
  'GET /v1/templates/{id}': { least: 'trainer', lent: true },
  'GET /v1/templates/{id}/versions': { least: 'trainer' },
  'PUT /v1/templates/{id}': { least: 'staff', stores: true },
  'DELETE /v1/templates/{id}': { least: 'staff' },
  'GET /v1/settings': { least: 'operator' },
  'PATCH /v1/settings': { least: 'operator' },
  'GET /v1/settings/versions': { least: 'operator' },
  'POST /v1/settings:restore': { least: 'operator' },

  'GET /v1/subscriptions': { least: 'trainer' },
  'POST /v1/subscriptions': { least: 'trainer', stores: true, foreign: 'unknown-resource' },
  'GET /v1/subscriptions/{id}': { least: 'trainer', foreign: 'unknown-subscription' },
  'DELETE /v1/subscriptions/{id}': { least: 'trainer', foreign: 'unknown-subscription' },
  'GET /v1/subscriptions/{id}/deliveries': { least: 'trainer', foreign: 'unknown-subscription' },
  'POST /v1/subscriptions/{id}:test': { least: 'trainer', stores: true, foreign: 'unknown-subscription' },
  'POST /v1/subscriptions/{id}:rotate': { least: 'trainer', foreign: 'unknown-subscription' },
  'GET /v1/endpoints': { least: 'student', foreign: 'not-allowed' },
  'POST /v1/endpoints:enable': { least: 'student', foreign: 'not-allowed' },
  'POST /v1/endpoints:disable': { least: 'trainer', stores: true, foreign: 'not-allowed' },
  'GET /v1/webhook-secret': { least: 'trainer' },
  'POST /v1/webhook-secret:rotate': { least: 'trainer', stores: true },
  'POST /v1/contacts/http/{person}:rotate': { least: 'admin', stores: true },
  'POST /v1/subscriptions/{id}:replay': { least: 'trainer', foreign: 'unknown-subscription' },

  'GET /v1/channels': { least: 'trainer' },
  'PUT /v1/channels/{channel}/inbound-address': { least: 'inbound' },
  'PUT /v1/channels/{channel}/pause': { least: 'operator' },
  'DELETE /v1/channels/{channel}/pause': { least: 'operator' },
  'DELETE /v1/channels/{channel}': { least: 'operator' },
  'POST /v1/fleet:rebuild': { least: 'admin' },
  'GET /v1/audit': { least: 'operator' },
  'GET /v1/stats': { least: 'operator' },
  'GET /v1/stats/people': { least: 'operator' },
  'GET /v1/service': { least: 'operator' },
  'GET /v1/streams': { least: 'operator' },
  'GET /v1/shards': { least: 'operator' },
  'PUT /v1/shards': { least: 'operator' },
  'GET /v1/api-keys': { least: 'admin' },
  'POST /v1/api-keys': { least: 'admin', stores: true },
  'DELETE /v1/api-keys/{id}': { least: 'admin' },
}

/** @param url as a route has it: `/v1/people/:id`, or `:id(^\\w+)` where that is of a form; `::` is a colon */
export function operationOf(method: string, url: string): string {
  const path = url
    .split('::')
    .map((part) => part.replace(/:(\w+)(\(.*\))?/g, '{$1}'))
    .join(':')
  return `${method} ${path}`
}

/** @throws Error for an operation without a row, which is a defect */
export function rightTo(method: string, url: string): Right {
  const operation = operationOf(method, url)
  const right = rights[operation]
  if (!right) throw new Error(`rights.ts does not say who may ${operation}`)
  return right
}
