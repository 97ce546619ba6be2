import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { messageBody } from '@courier-fleet/api-types'
import { ApiError } from '@courier-fleet/client'
import { wordedProblems } from '@courier-fleet/words'
import { expect } from 'chai'
import { problemText } from '../src/problem-text.ts'
import { en } from '../src/texts/en.ts'
import { ru } from '../src/texts/ru.ts'

/** what a program has done wrong, or whoever runs the service asks for */
const ofPrograms = [
  'bad-json bad-key bad-url no-api-key bad-api-key no-such-route wrong-method unsupported-media-type unknown-expectation',
  'headers-too-large stuck role-above-owner unknown-api-key idempotency-key-reused about-one-person about-with-key',
  'shards-only-grow shards-growing older-processes bad-request',
  // nobody is there any more to be told
  'client-gone',
  // nobody uploads a file at the page
  'length-required unknown-file unsupported-file empty-file too-many-files no-files files-full',
].flatMap((codes) => codes.split(' '))

describe('what the API refuses', () => {
  const api = readFileSync(join(import.meta.dirname, '../../../docs/api.md'), 'utf8')
  const table = /\n## Problems\n(.*?)\n## /s.exec(api)?.[1] ?? ''
  const codes = new Set([...table.matchAll(/`([a-z]+(?:-[a-z]+)*)`/g)].map(([, code]) => code as string))
  for (const notCode of ['code', 'detail', 'field', 'errors']) codes.delete(notCode)

  it('has words of its own, all of it that a person can meet', () => {
    expect(codes.size).to.be.above(50)
    for (const language of ['ru', 'en'] as const)
      expect(wordedProblems(language)).to.include.members([...codes].filter((code) => !ofPrograms.includes(code)))
  })

  const refused = (code: string, field?: string, detail = 'zod says so') => {
    const problem = {
      type: 'about:blank',
      title: 'x',
      status: 422,
      code,
      detail,
      ...(field ? { field } : {}),
    }
    return new ApiError(problem as never)
  }

  it("is never told in the API's English", () => {
    for (const words of [ru, en]) {
      for (const code of [...codes, 'quite-new']) expect(problemText(words, refused(code))).not.to.contain('zod')
      expect(problemText(words, refused('invalid', 'code'))).to.equal(words.invalid.code)
      expect(problemText(words, refused('invalid', 'to.1'))).to.equal(words.invalid.to)
    }
  })
  it('is said to be too long of nothing else', () => {
    const text = { to: ['user:anna'], text: 'Hall {{room no}}', fields: { room: '9' } }
    const detail = messageBody.safeParse(text).error?.issues[0]?.message
    const long = messageBody.safeParse({ ...text, text: 'x'.repeat(20_001) }).error?.issues[0]?.message
    for (const words of [ru, en]) {
      expect(problemText(words, refused('invalid', 'text.ru', `text.ru: ${detail}`))).to.equal(words.invalid.braces)
      expect(problemText(words, refused('invalid', 'text', `text: ${long}`))).to.equal(words.invalid.text)
      expect(problemText(words, refused('invalid', 'ceiling.parts'))).to.equal(words.invalid.ceiling)
      // a field of a form that has no words of its own
      expect(problemText(words, refused('invalid', 'expires'))).not.to.match(/text|текст/)
    }
  })
})
