import { ApiError, UnreachableError } from '@courier-fleet/client'
import { expect } from 'chai'
import { troubleInWords } from '../src/conversation/exchange.ts'
import { wordsOf } from '../src/texts/index.ts'

describe('what the bot says of trouble', () => {
  const words = wordsOf.en
  const away = words.trouble
  const refusal = (status: number, code: string) =>
    new ApiError({ type: 'about:blank', title: code, status, detail: code, code })

  it('is that nobody answers, where nobody does', () => {
    for (const error of [new UnreachableError('away'), refusal(502, 'http-502')])
      expect(troubleInWords(error, words)).to.equal(away)
  })

  it('is what the service said of itself, where it did', () => {
    const said = (status: number, code: string) => troubleInWords(refusal(status, code), words)
    expect(said(500, 'internal')).to.match(/may have been done all the same/)
    expect(said(503, 'redis-away')).to.match(/briefly unavailable/)
    expect(said(507, 'redis-full')).to.match(/no room for anything new/)
    expect(said(429, 'too-many-calls')).to.match(/^Too often/)
    expect(said(429, 'quota')).to.match(/used today's messages/)
    expect(said(409, 'in-progress')).to.match(/being done already/)
  })

  it('hides no defect of the bot itself', () => {
    expect(() => troubleInWords(new TypeError('no such field'), words)).to.throw(TypeError)
  })
})
