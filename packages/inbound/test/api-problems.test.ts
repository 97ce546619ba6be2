/** What a refusal says of a text that somebody wrote, and what of the service alone: that one is asked again. */
import { ApiError, UnreachableError } from '@courier-fleet/client'
import { expect } from 'chai'
import { isOfEveryText, refusesText } from '../src/api-problems.ts'

describe('a refusal of what somebody wrote', () => {
  const answer = (status: number, code: string) =>
    new ApiError({ type: 'about:blank', title: 'x', status, code, detail: 'x' } as never)

  it('is one that holds whenever it is asked again today', () => {
    for (const [status, code] of [
      [422, 'past-at'],
      [429, 'quota'],
      [429, 'too-much-today'],
    ] as const) {
      expect(refusesText(answer(status, code)), code).to.equal(true)
      expect(isOfEveryText(answer(status, code)), code).to.equal(false)
    }
  })

  it('is none that another moment may change', () => {
    const moments = [answer(429, 'too-many-calls'), answer(408, 'too-slow'), answer(503, 'redis-away')]
    for (const error of [...moments, new UnreachableError('away')]) {
      expect(refusesText(error), error.message).to.equal(false)
      expect(isOfEveryText(error), error.message).to.equal(true)
    }
  })
})
