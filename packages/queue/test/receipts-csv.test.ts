/** The receipts as spreadsheets read them: with a real parser, at the separator asked for and at the other one. */
import { Readable } from 'node:stream'
import type { ReceiptView } from '@courier-fleet/api-types'
import { expect } from 'chai'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { receiptsCsv } from '../src/histories/receipts-csv.ts'
import { type Service, startService } from './service.ts'

const formula = /^\s*[=+\-@＝＋－＠]/
const readers = [',', ';', '\t'] as const

/** As a spreadsheet does it that is not strict about quotes; where they do not add up, it splits without regard to them. */
function cellsOf(csv: string, delimiter: string): string[][] {
  const common = { delimiter, bom: true, relax_column_count: true }
  try {
    return parse(csv, { ...common, relax_quotes: true })
  } catch {
    return parse(csv, { ...common, quote: false })
  }
}

async function* pageOf(names: readonly string[]): AsyncGenerator<ReceiptView[]> {
  yield names.map((name, ordinal) => ({
    ordinal,
    person: 'p',
    name,
    channels: { sms: { state: 'failed' as const, detail: name, providerId: name } },
  }))
}

async function csvOf(names: readonly string[], separator: 'comma' | 'semicolon'): Promise<string> {
  let csv = ''
  for await (const text of receiptsCsv(pageOf(names), separator)) csv += text
  return csv
}

describe('receipts as CSV', () => {
  let service: Service
  before(async () => {
    service = await startService()
  })
  after(() => service.stop())

  async function download(query: string) {
    const body = { method: 'POST', as: 'trainer', body: { to: ['group:own'], text: 'Hello' } } as const
    const { json } = await service.call<{ key: string }>('/v1/messages', body)
    return service.call(`/v1/histories/${json.key}/receipts?format=csv${query}`, { as: 'trainer' })
  }

  it('gives the names back at the separator asked for, behind a byte order mark', async () => {
    await service.directory.putPerson({
      id: 'anna',
      name: "Каренина; Анна;=cmd|'/C calc'!A0",
      role: 'student',
      timeZone: 'UTC',
      language: 'ru',
    })
    for (const [query, delimiter] of [
      ['', ','],
      ['&separator=comma', ','],
      ['&separator=semicolon', ';'],
    ] as const) {
      const { status, headers, text } = await download(query)
      expect([status, headers['content-type']]).to.deep.equal([200, 'text/csv; charset=utf-8'])
      expect(text.charCodeAt(0), 'byte order mark').to.equal(0xfeff)
      const [columns, ...rows] = parse(text, { delimiter, bom: true }) as string[][]
      expect(columns?.slice(0, 3)).to.deep.equal(['ordinal', 'person', 'name'])
      expect(rows.map(([, , name]) => name)).to.deep.equal([
        "Каренина; Анна;'=cmd|'/C calc'!A0",
        `'=HYPERLINK("x")`,
        'Clara, the "third"',
      ])
      for (const reader of readers)
        for (const row of cellsOf(text, reader)) expect(row.some((cell) => formula.test(cell))).to.equal(false)
    }
  })

  it('says which separators there are', async () => {
    const { status, json } = await download('&separator=pipe')
    expect([status, json.field]).to.deep.equal([400, 'separator'])
    expect(json.detail).to.contain('comma').and.to.contain('semicolon')
  })

  it('never begins a cell with a formula, whatever the texts are and wherever a reader splits', async () => {
    const hostile = fc.array(
      fc.constantFrom('=', '+', '-', '@', ';', ',', '"', "'", '|', '\t', '\r', '\n', ' ', 'a', '1', '＝'),
    )
    const names = fc.array(
      hostile.map((signs) => signs.join('')),
      { minLength: 1, maxLength: 4 },
    )
    await fc.assert(
      fc.asyncProperty(names, fc.constantFrom('comma' as const, 'semicolon' as const), async (texts, separator) => {
        const csv = await csvOf(texts, separator)
        for (const reader of readers)
          for (const row of cellsOf(csv, reader))
            for (const cell of row) expect(cell, `${JSON.stringify(csv)} at ${reader}`).not.to.match(formula)
      }),
      { numRuns: 500 },
    )
  })

  it('says with which message one went out, of the receipt that did and behind all other columns', async () => {
    const receipts: ReceiptView[] = [
      {
        ordinal: 0,
        person: 'anna',
        channels: { sms: { state: 'sent', sentWith: '3.trainer-1.first' }, vk: { state: 'pending' } },
      },
      { ordinal: 1, person: 'boris', channels: {} },
    ]
    let csv = ''
    for await (const text of receiptsCsv(Readable.from([receipts]), 'comma')) csv += text
    const rows = parse(csv, { bom: true, columns: true }) as { person: string; channel: string; sent_with: string }[]
    expect(rows.map(({ person, channel, sent_with }) => [person, channel, sent_with])).to.deep.equal([
      ['anna', 'sms', '3.trainer-1.first'],
      ['anna', 'vk', ''],
      ['boris', '', ''],
    ])
    expect(csv.split('\r\n')[0]).to.match(/,sent_with$/)
  })

  it('leaves what is harmless as it is', async () => {
    const names = ['Анна-Мария', 'a=b', 'О’Нил; Джон', 'tab\tin it', '5 + 5 = 10']
    for (const [separator, delimiter] of [
      ['comma', ','],
      ['semicolon', ';'],
    ] as const)
      expect(
        cellsOf(await csvOf(names, separator), delimiter)
          .slice(1)
          .map(([, , name]) => name),
      ).to.deep.equal(names)
  })
})
