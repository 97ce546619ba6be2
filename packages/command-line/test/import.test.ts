import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { fleetCommand, importCommand } from '../src/index.ts'
import { startCommandedFleet } from './commanded-fleet.ts'

describe('npm run import', () => {
  let fleet: Awaited<ReturnType<typeof startCommandedFleet>>
  const dir = mkdtempSync(join(tmpdir(), 'courier-fleet-import-'))
  before(async () => {
    fleet = await startCommandedFleet()
  })
  after(async () => {
    rmSync(dir, { recursive: true })
    await fleet.stop()
  })

  const importFile = (name: string, csv?: string | Buffer) => {
    const file = join(dir, name)
    if (csv !== undefined) writeFileSync(file, csv)
    const env = { FLEET_API_URL: fleet.apiUrl, FLEET_API_KEY: fleet.service.keyOf.admin }
    return fleet.run(importCommand, [file], env)
  }
  const header = 'id,name,role,phone,groups\n'

  it('imports a roster with a bar, and finds nothing to do the second time', async () => {
    const csv = `${header}ira,Ирина,student,+79001112233,new-group\noleg,Олег,student,,new-group\n`
    const first = await importFile('good.csv', csv)
    expect(first.out).to.match(
      /^2 created, 0 updated, 0 unchanged, 0 rejected\n {2}new: group new-group\n {2}To take it back within a week: fleet imports take-back [0-9a-f]{16}$/,
    )
    expect(first.err).to.match(/█{30} 2 of 2/)
    expect(first.code).to.equal(0)
    expect((await importFile('good.csv')).out).to.equal('0 created, 0 updated, 2 unchanged, 0 rejected')
    expect((await fleet.admin.members('new-group')).people).to.have.members(['ira', 'oleg'])
  })

  it('takes a list from stdin, byte for byte', async () => {
    const env = { FLEET_API_URL: fleet.apiUrl, FLEET_API_KEY: fleet.service.keyOf.admin }
    const piped = (...input: (string | Buffer)[]) => fleet.run(importCommand, ['-'], env, { input })
    const { code, out } = await piped(header, Buffer.from('zoya,Зоя,student,,\n'))
    expect([code, out.split('\n')[0]]).to.deep.equal([0, '1 created, 0 updated, 0 unchanged, 0 rejected'])
    expect((await fleet.admin.person('zoya')).name).to.equal('Зоя')
    const cyrillic = await piped(header, Buffer.from([0x79, 0x2c, 0xc7, 0xee, 0xff, 0x2c, 0x2c, 0x2c, 0x0a]))
    expect(cyrillic.err).to.match(/^import: .*line 2 is not UTF-8 but looks like windows-1251; .*\n$/)
    const none = await fleet.run(importCommand, ['-'], env)
    expect(none.err).to.equal('import: there is nothing on stdin: name a file instead of -\n')
  })

  it('takes a list back once it was said what that does, and ends with 1 where somebody is left', async () => {
    const env = { FLEET_API_URL: fleet.apiUrl, FLEET_API_KEY: fleet.service.keyOf.admin }
    const imports = (...args: string[]) => fleet.run(fleetCommand, ['imports', ...args], env)
    const { out } = await importFile(
      'wrong.csv',
      `${header}rita,Рита,student,,wrong-group\nlena,Лена,student,,wrong-group\n`,
    )
    const id = /take-back (\w+)$/.exec(out)?.[1] as string
    await fleet.admin.putPerson('lena', { name: 'Елена', role: 'student' })
    expect((await imports()).out).to.match(new RegExp(`^id .*\n${id} .* 2 +0 +0 +2$`, 'm'))
    const told = await imports('take-back', id)
    expect(told).to.include({ code: 1, err: '' })
    expect(told.out.split('\n')).to.deep.equal([
      'Nothing was changed. With --yes:',
      '  1 who were new go, 0 are as before, 0 are there again, 1 are left as they are',
      '  left: Лена (lena) has been changed since',
      '  stay, for they are used: group wrong-group',
    ])
    expect((await fleet.admin.person('rita')).name, 'nothing is done by looking').to.equal('Рита')
    const done = await imports('take-back', id, '--yes')
    expect(done.out).to.match(/^Taken back:\n {2}1 who were new go/)
    expect(done.err, 'how far it is').to.match(/^░{30} 0 of 2$/m)
    expect((await fleet.admin.members('wrong-group')).people).to.deep.equal(['lena'])
    expect(await imports('take-back')).to.include({ code: 2 })
    expect((await imports('take-back', '0123456789abcdef')).err).to.match(/^imports: there is no import .*\n$/)
  })

  it('ends with 1 when lines were rejected, and says which and why', async () => {
    const { code, out } = await importFile('bad-line.csv', `${header}petr,Пётр,student,12,\nvera,Вера,student,,\n`)
    expect(out).to.contain('1 created, 0 updated, 0 unchanged, 1 rejected')
    expect(out).to.match(/line 2 \(petr\) rejected: phone: /)
    expect(code).to.equal(1)
  })

  it('ends with 2 and one line when nothing can be imported', async () => {
    const utf16 = await importFile('utf16.csv', Buffer.from(`\ufeff${header}`, 'utf16le'))
    expect([utf16.code, utf16.out]).to.deep.equal([2, ''])
    expect(utf16.err).to.match(/^import: .*UTF-16.*\n$/)
    const missing = await importFile('missing.csv')
    expect(missing.err).to.match(/^import: cannot read .*missing\.csv: there is no such file\n$/)
    const none = await fleet.run(importCommand, [])
    expect(none.err).to.equal('import: <roster.csv> is missing; usage: npm run import -- <roster.csv>\n')
  })
})
