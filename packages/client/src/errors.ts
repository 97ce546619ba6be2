import type { ProblemDocument } from '@courier-fleet/api-types'

/** The service said no; `problem` says why. */
export class ApiError extends Error {
  readonly problem: ProblemDocument
  /** seconds, where the service said when to try again */
  readonly retryAfter: number | undefined

  /** this answer was kept from an earlier call with the same Idempotency-Key */
  readonly replayed: boolean

  constructor(
    problem: ProblemDocument,
    { retryAfter, replayed = false }: { retryAfter?: number; replayed?: boolean } = {},
  ) {
    super(problem.detail)
    this.name = 'ApiError'
    this.problem = problem
    this.retryAfter = retryAfter
    this.replayed = replayed
  }

  static async from(response: Response): Promise<ApiError> {
    const text = await response.text()
    const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN)
    const replayed = response.headers.get('idempotency-replayed') === 'true'
    return new ApiError(readProblem(text, response), { ...(Number.isNaN(retryAfter) ? {} : { retryAfter }), replayed })
  }
}

/** No answer came, or not all of it: wrong address, not started, or the network. Nobody knows whether the call was heard. */
export class UnreachableError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'UnreachableError'
  }
}

/** What a proxy in between answers is rarely a problem document. */
function readProblem(text: string, { status, statusText }: Response): ProblemDocument {
  try {
    const problem = JSON.parse(text) as ProblemDocument
    if (typeof problem.code === 'string' && typeof problem.detail === 'string') return problem
  } catch {}
  const detail = `answered ${status} ${statusText}`.trim()
  return { type: 'about:blank', title: statusText, status, detail, code: `http-${status}` }
}
