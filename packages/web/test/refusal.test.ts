/** After an answer that was lost: what a later answer tells of that try, too, and what is said of the later one alone. */
import { ApiError } from '@courier-fleet/client'
import { expect } from 'chai'
import { isRefused } from '../src/refusal.ts'

describe('a refusal of a message', () => {
  const answer = (status: number, code: string) =>
    new ApiError({ type: 'about:blank', title: 'x', status, code, detail: 'x' } as never)

  const refusals: [number, string][] = [
    [422, 'past-at'],
    [409, 'audience-mismatch'],
    [403, 'not-your-audience'],
    [429, 'quota'],
    [429, 'too-much-today'],
  ]
  const ofThisTry: [number, string][] = [
    [408, 'too-slow'],
    [429, 'too-many-calls'],
    [401, 'no-session'],
    [403, 'bad-csrf-token'],
    [403, 'not-allowed'],
  ]
  const ofNeither: [number, string][] = [
    [409, 'in-progress'],
    [500, 'internal'],
    [503, 'redis-away'],
  ]

  it('is certain where the service has looked whether it was sent before', () => {
    for (const [status, code] of refusals)
      for (const isFirstTry of [true, false]) expect(isRefused(answer(status, code), isFirstTry), code).to.equal(true)
  })

  it('says nothing of a try before it where the service has not looked', () => {
    for (const [status, code] of ofThisTry) {
      expect(isRefused(answer(status, code), false), code).to.equal(false)
      expect(isRefused(answer(status, code), true), `${code}, the first try`).to.equal(true)
    }
  })

  it('is none where the service has failed, or is still at it', () => {
    for (const [status, code] of ofNeither)
      for (const isFirstTry of [true, false]) expect(isRefused(answer(status, code), isFirstTry), code).to.equal(false)
  })
})
