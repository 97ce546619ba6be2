/** An error with a name and a place, as RFC 9457 problem+json says it. Whatever a user did wrong ends as one of these. */
export class Problem extends Error {
  readonly status: number
  readonly code: string
  /** the offending field, as a dotted path, when there is one */
  readonly field: string | undefined
  /** seconds after which trying again makes sense, when it does */
  readonly retryAfter: number | undefined

  constructor(status: number, code: string, detail: string, field?: string, retryAfter?: number) {
    super(detail)
    this.name = 'Problem'
    this.status = status
    this.code = code
    this.field = field
    this.retryAfter = retryAfter
  }
}
