/** Headers that calls of many routes may have, as parameters of the OpenAPI document. */
import { isUnsafe } from '../access/callers.ts'
import type { Operation, RouteFacts } from './openapi-operation.ts'

const header = (name: string, description: string, example: string, more: object = {}) => ({
  name,
  in: 'header',
  required: false,
  description,
  schema: { type: 'string', examples: [example], ...more },
})

export const headerParameters = {
  IdempotencyKey: header(
    'Idempotency-Key',
    'A name of your own for this call, such as a UUID. The same call again within a day is given the first answer, with `Idempotency-Replayed: true`, and nothing is done twice.',
    'order-4711',
    { pattern: '^[\\x21-\\x7e]{1,255}$' },
  ),
  OnBehalfOf: header(
    'On-Behalf-Of',
    'With the API key of an inbound process: the contact of the person it acts for.',
    'telegram:7001',
  ),
  CsrfToken: header('X-CSRF-Token', 'With a session: its `csrfToken`.', 'q1w2e3r4t5y6'),
  IfMatch: header(
    'If-Match',
    'The version that was read, in quotes, as `ETag` has it: refused with 412 where there is another by now.',
    '"12"',
  ),
  IfNoneMatch: header(
    'If-None-Match',
    'The `ETag` of an answer one has: answered 304 while it has not changed.',
    '"V1StGXR8_Z5jdHi6B-myT1"',
  ),
} as const

/** Honoured by every unsafe call of somebody who has signed in, except those that only read. */
export function takesIdempotencyKey({ method, config: { right, idempotency } }: RouteFacts): boolean {
  return isUnsafe(method) && right !== undefined && right.least !== 'anyone' && idempotency !== 'reads'
}

/** @returns references to those that calls of this operation may have */
export function headersOf(facts: RouteFacts, { responses }: Operation): { $ref: string }[] {
  const { method, config } = facts
  const { right, problems = [] } = config
  const taken: Record<keyof typeof headerParameters, boolean> = {
    IdempotencyKey: takesIdempotencyKey(facts),
    OnBehalfOf: right?.lent !== undefined,
    CsrfToken: isUnsafe(method) && right !== undefined && right.least !== 'anyone' && right.least !== 'inbound',
    IfMatch: problems.some((problem) => problem.startsWith('412 ')),
    IfNoneMatch: '304' in responses,
  }
  const names = Object.entries(taken).filter(([, is]) => is)
  return names.map(([name]) => ({ $ref: `#/components/parameters/${name}` }))
}
