/** Which problems an operation may be answered: those of every route of its kind, and those that its own route names. */
import { isUnsafe } from '../access/callers.ts'
import { problemType } from '../http/problem-json.ts'
import { takesIdempotencyKey } from './openapi-headers.ts'
import type { Answer, Json, Operation, RouteFacts } from './openapi-operation.ts'

/** A status and the code of a problem, such as `404 unknown-person`. */
export type ProblemName = `${number} ${string}`

declare module 'fastify' {
  interface FastifyContextConfig {
    /** problems of this route, beyond those that routes of its kind have; the tests of the queue fail for one that is answered and not named */
    problems?: readonly ProblemName[]
  }
}

const redisTrouble = [
  '503 redis-away',
  '503 redis-busy',
  '503 redis-full',
  '503 redis-moving',
  '503 redis-read-only',
  '503 redis-refuses',
] as const
const notDurable = '503 not-durable'

/** Those whose codes are the same for whoever has them; a status has one entry. */
const shared = {
  Internal: ['500 internal'],
  RedisTrouble: redisTrouble,
  RedisTroubleOfChange: [...redisTrouble, notDurable],
  NotSignedIn: ['401 bad-api-key', '401 no-api-key', '401 no-session'],
  TooSlow: ['408 too-slow'],
  TooLarge: ['413 too-large'],
  NoSuchType: ['415 unsupported-media-type'],
} as const satisfies Record<string, readonly ProblemName[]>

const ofEvery: readonly ProblemName[] = [...shared.Internal, ...shared.RedisTrouble]
const ofBodies: readonly ProblemName[] = ['400 bad-json', ...shared.TooSlow, ...shared.TooLarge, ...shared.NoSuchType]
const ofCallers: readonly ProblemName[] = [...shared.NotSignedIn, '403 not-allowed']
/** of a call with `On-Behalf-Of` */
const ofContacts: readonly ProblemName[] = [
  '400 invalid',
  '403 unknown-contact',
  '403 opted-out',
  '403 wrong-channel',
  '429 too-many-contacts',
]
const ofChanges: readonly ProblemName[] = ['403 bad-csrf-token', '429 too-many-calls']
const ofKeys: readonly ProblemName[] = ['400 bad-key', '404 unknown-key']
const ofIdempotency: readonly ProblemName[] = ['400 invalid', '409 in-progress', '422 idempotency-key-reused']

const when = (is: boolean, names: readonly ProblemName[]) => (is ? names : [])

/** What is another's is refused; or there is none of it, for whose it is nobody is told. */
const foreignProblem = (code: string): ProblemName => `${code.startsWith('unknown-') ? 404 : 403} ${code}`

function problemsOf(facts: RouteFacts, { parameters = [], requestBody }: Operation): ProblemName[] {
  const { method, path, config } = facts
  const { right, problems: own = [] } = config
  const isKnown = right !== undefined && right.least !== 'anyone'
  const all = [
    ...ofEvery,
    ...when(path.includes('{'), ['400 bad-url', '414 bad-url']),
    ...when(parameters.length > 0, ['400 invalid']),
    ...when(path.includes('{key}'), ofKeys),
    ...when(isUnsafe(method), [...ofBodies, notDurable]),
    ...when(requestBody !== undefined, ['422 invalid']),
    ...when(isKnown, [...ofCallers, ...ofContacts]),
    ...when(isKnown && isUnsafe(method), ofChanges),
    ...when(takesIdempotencyKey(facts), ofIdempotency),
    ...when(right?.stores === true, ['503 redis-nearly-full']),
    ...when(right?.foreign !== undefined, [foreignProblem(right?.foreign ?? '')]),
    ...own,
  ]
  return [...new Set(all)].sort()
}

const codeOf = (name: ProblemName) => name.slice(4)

/** How long to wait is told where waiting helps. */
const retryAfter = {
  'Retry-After': {
    description: 'seconds, after which trying again makes sense',
    schema: { type: 'integer', examples: [30] },
  },
}

function answerOf(names: readonly ProblemName[]): Answer {
  const codes = names.map(codeOf)
  const schema = {
    allOf: [
      { $ref: '#/components/schemas/Problem' },
      { properties: { code: { enum: codes, description: 'which of them it is' } }, required: ['code'] },
    ],
  }
  return {
    description: codes.map((code) => `\`${code}\``).join(', '),
    ...(/^(429|503) /.test(names[0] ?? '') ? { headers: retryAfter } : {}),
    content: { [problemType]: { schema } },
  }
}

export const sharedProblems: Json = Object.fromEntries(
  Object.entries(shared).map(([name, names]) => [name, answerOf(names)]),
)

/** Says under each status which problems it may be; what else a route answers with that status stays. */
export function addProblems(facts: RouteFacts, operation: Operation): void {
  const all = problemsOf(facts, operation)
  for (const status of new Set(all.map((name) => name.slice(0, 3)))) {
    const names = all.filter((name) => name.startsWith(status))
    const [same] = Object.entries(shared).find(([, each]) => [...each].sort().join() === names.join()) ?? []
    const own = operation.responses[status]
    if (own && 'content' in own) own.content = { ...own.content, ...answerOf(names).content }
    else operation.responses[status] = same ? { $ref: `#/components/responses/${same}` } : answerOf(names)
  }
}
