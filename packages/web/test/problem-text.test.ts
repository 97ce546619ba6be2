import { readFileSync } from 'node:fs'
import { join } from 'node:path'
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
  'shards-only-grow shards-growing older-processes',
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

  const refused = (code: string, field?: string) => {
    const problem = {
      type: 'about:blank',
      title: 'x',
      status: 422,
      code,
      detail: 'zod says so',
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
})
