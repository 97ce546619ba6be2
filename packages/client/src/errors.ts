import type { ProblemDocument } from '@courier-fleet/core'

/** The service said no; `problem` says why. */
export class ApiError extends Error {
  readonly problem: ProblemDocument
  /** seconds, where the service said when to try again */
  readonly retryAfter: number | undefined

  constructor(problem: ProblemDocument, retryAfter?: number) {
    super(problem.detail)
    this.name = 'ApiError'
    this.problem = problem
    this.retryAfter = retryAfter
  }

  static async from(response: Response): Promise<ApiError> {
    const text = await response.text()
    const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN)
    return new ApiError(readProblem(text, response), Number.isNaN(retryAfter) ? undefined : retryAfter)
  }
}

/** No answer came at all: wrong address, not started, or the network. */
export class UnreachableError extends Error {
  constructor(apiUrl: string, cause: unknown) {
    super(`${apiUrl} does not answer`, { cause })
    this.name = 'UnreachableError'
  }
}

/** What a proxy in between says is seldom a problem document. */
function readProblem(text: string, { status, statusText }: Response): ProblemDocument {
  try {
    const problem = JSON.parse(text) as ProblemDocument
    if (typeof problem.code === 'string' && typeof problem.detail === 'string') return problem
  } catch {}
  const detail = `answered ${status} ${statusText}`.trim()
  return { type: 'about:blank', title: statusText, status, detail, code: `http-${status}` }
}
