import { type FreshRedis, freshRedis } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { createDirectory } from '../src/create-directory.ts'
import type { Directory } from '../src/directory.ts'
import { maxRosterBytes } from '../src/roster/roster-text.ts'
import { bytes } from './csv-bytes.ts'
import { rejection } from './people.ts'

const csv = 'id,name,role,phone\nanna,Анна Иванова,student,+79001234567\nboris,Борис,trainer,\n'

describe('roster files', () => {
  let fresh: FreshRedis
  let directory: Directory

  beforeEach(async () => {
    fresh = await freshRedis()
    directory = createDirectory({ redis: fresh.redis, country: 'RU' })
  })
  afterEach(() => fresh.stop())

  const refusal = async (content: string | Uint8Array) => {
    const problem = await rejection(directory.importCsv(bytes(content)))
    expect([problem.status, problem.code]).to.deep.equal([422, 'bad-csv'])
    expect(await fresh.redis.dbsize()).to.equal(0)
    return problem
  }

  const readable: Record<string, string> = {
    commas: csv,
    semicolons: csv.replaceAll(',', ';'),
    tabs: csv.replaceAll(',', '\t'),
    'a byte order mark': `\ufeff${csv}`,
    'CRLF line ends': csv.replaceAll('\n', '\r\n'),
    'CR line ends': csv.replaceAll('\n', '\r'),
    'no line end at the end': csv.trimEnd(),
    'blank lines': `\n\n${csv.replaceAll('\n', '\n\n')};;;\n,,,\n  \n`,
    quotes: csv.replace(/[^,\n]+/g, '"$&"'),
    'blanks around cells': csv.replaceAll(',', ' , '),
    'a header in capitals': csv.replace('id,name,role,phone', 'ID,Name,ROLE,Phone'),
    'another order of columns': 'role,phone,id,name\nstudent,89001234567,anna,Анна Иванова\ntrainer,,boris,Борис',
  }
  for (const [name, content] of Object.entries(readable)) {
    it(`reads ${name}`, async () => {
      for (const piece of [1, 7, 4096]) {
        const report = await directory.importCsv(bytes(content, piece))
        expect(report.lines).to.deep.equal([])
      }
      expect(await directory.namesOf(['anna', 'boris'])).to.deep.equal(['Анна Иванова', 'Борис'])
      expect(await directory.personOf('sms', '+79001234567')).to.equal('anna')
      expect(await directory.listPeople('', 10)).to.have.length(2)
    })
  }

  it('reads quoted delimiters and doubled quotes', async () => {
    await directory.importCsv(bytes('id;name;role\na;"Иванова; ""Аня"", мл.";student\nb;Пётр "Петя" П.;student\n'))
    expect(await directory.namesOf(['a', 'b'])).to.deep.equal(['Иванова; "Аня", мл.', 'Пётр "Петя" П.'])
  })

  it('does not let an open quote swallow the lines after it', async () => {
    const report = await directory.importCsv(bytes('id,name,role\na,"A,student\nb,B,student\nc,x"y,"z\nd,D,student\n'))
    expect(report.lines.map(({ line, status }) => [line, status])).to.deep.equal([
      [2, 'rejected'],
      [4, 'rejected'],
    ])
    expect((await directory.listPeople('', 10)).map(({ id }) => id)).to.deep.equal(['b', 'd'])
  })

  it('reads a header without people', async () => {
    const report = await directory.importCsv(bytes('id,name,role\n'))
    expect(report).to.include({ created: 0, updated: 0, unchanged: 0, rejected: 0 })
    expect(report.lines).to.deep.equal([])
  })

  it('names a column it does not know, and goes on', async () => {
    const report = await directory.importCsv(bytes('id,name,role,telegramm\na,A,student,7001\n'))
    expect(report.created).to.equal(1)
    expect(report.lines).to.have.length(1)
    expect(report.lines[0]).to.include({ line: 1, field: 'telegramm' })
  })

  it('refuses an empty file', async () => {
    for (const content of ['', '\ufeff', '\n\n', ' \r\n']) expect((await refusal(content)).message).to.contain('empty')
  })

  it('refuses a header without the columns it needs, naming them', async () => {
    const problem = await refusal('id,phone\na,1\n')
    expect(problem.message).to.contain('name, role').and.to.contain('id,phone')
    expect(problem.field).to.equal('name')
    expect((await refusal('a,A,student\n')).message).to.contain('name, role')
    expect((await refusal('id,name,role,Time zone,timezone\n')).message).to.contain('timezone twice')
    expect((await refusal('id,"name,role\n')).message).to.contain('quote')
  })

  it('refuses windows-1251, naming the line and what would be right', async () => {
    const line = Buffer.from([...Buffer.from('a,'), 0xc0, 0xed, 0xed, 0xe0, ...Buffer.from(',student\n')])
    const problem = await refusal(Buffer.concat([Buffer.from('id,name,role\nb,Ok,student\n'), line]))
    expect(problem.message).to.contain('line 3').and.to.contain('windows-1251').and.to.contain('UTF-8')
  })

  it('writes nothing when only the last letter of a long file is broken', async () => {
    const people = Array.from({ length: 3000 }, (_, index) => `p${index},Имя,student\n`).join('')
    const whole = Buffer.from(`id,name,role\n${people}last,Имя,student`)
    const broken = Buffer.concat([whole, Buffer.from([0xd0])])
    expect((await refusal(broken)).message).to.contain('line 3002')
  })

  it('refuses UTF-16 with and without its mark, workbooks and other bytes', async () => {
    const utf16 = Buffer.from(csv, 'utf16le')
    expect((await refusal(Buffer.concat([Buffer.from([0xff, 0xfe]), utf16]))).message).to.contain('UTF-16')
    expect((await refusal(Buffer.concat([Buffer.from([0xfe, 0xff]), utf16.swap16()]))).message).to.contain('UTF-16')
    expect((await refusal(Buffer.from(csv, 'utf16le'))).message).to.contain('UTF-16')
    expect((await refusal(Buffer.from('PK\x03\x04rest'))).message).to.contain('Excel')
    expect((await refusal(Buffer.from([0x69, 0x64, 0xff, 0xc0]))).message).to.contain('not UTF-8')
  })

  it('refuses what is too big, before all of it has come', async () => {
    let sent = 0
    async function* huge() {
      for (; sent < 2 * maxRosterBytes; sent += 1 << 20) yield Buffer.alloc(1 << 20, 'a')
    }
    const problem = await rejection(directory.importCsv(huge()))
    expect([problem.status, problem.code]).to.deep.equal([413, 'too-large'])
    expect(sent).to.be.at.most(maxRosterBytes)
  })

  it('writes nothing when the upload breaks off', async () => {
    async function* brokenOff() {
      yield* bytes(csv)
      throw new Error('connection reset')
    }
    const failure = await directory.importCsv(brokenOff()).catch((error: Error) => error)
    expect(failure).to.be.instanceOf(Error).with.property('message', 'connection reset')
    expect(await fresh.redis.dbsize()).to.equal(0)
  })
})
