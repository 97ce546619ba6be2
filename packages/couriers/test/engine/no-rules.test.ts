/**
 * A type that nobody made a rule for costs nothing: not a command, and not a byte of what is said to Redis or known of people. What it is
 * compared with is a fleet in which nobody has set anything at all.
 */
import type { HistoryRef } from '@courier-fleet/api-types'
import { keys, type PutInput, tagOf, writeSettings } from '@courier-fleet/store'
import { startMonitor, until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { fakeCourier } from './fake-courier.ts'
import { createFixture, type Fixture } from './fixture.ts'

const type = (id: string, number: number, more: object = {}) => ({ id, number, name: { ru: id, en: id }, ...more })
/** comes and goes with time: what is due is looked for by whoever has nothing else to do */
const aside = /^due:/

const isOfPeople = (arg: string) => arg.startsWith('people:')

/** The same for every message: ids and times are numbers, and a message is in whatever shard it happens to be. */
function alike(arg: string, { id, shard }: HistoryRef): string {
  const tag = tagOf(shard)
  const said = arg === tag ? 'tag' : arg.replaceAll(`{${tag}}`, '{tag}').replaceAll(id, 'id')
  return said.replace(/\d+/g, '0')
}

describe('a message of a type without rules', () => {
  let fixture: Fixture
  before(async () => {
    fixture = await createFixture()
  })
  after(() => fixture.stop())

  it('is sent with the very commands of a fleet in which nothing is set; one with a cap is not', async () => {
    const people = await fixture.people(30)
    const runner = await fixture.run(fakeCourier({ batchSize: 30 }), { consumer: 'counted' })
    const clients = String(await fixture.redis.client('LIST'))
    const own = / addr=(\S+) .* name=counted /.exec(clients)?.[1]
    expect(own).to.be.a('string')

    const monitor = await startMonitor(fixture.redis)
    let seen: string[][] = []
    let heard = ''
    monitor.on('monitor', (_time: string, args: string[], source: string) => {
      if (source === own) seen.push(args)
      if (args[0] === 'echo') heard = args[1] ?? ''
    })

    /** What the courier asks of Redis for a message to these people: commands, scripts by their hashes, and their bytes, every number taken as one. */
    async function commandsOf(more: Partial<PutInput> = {}): Promise<string[]> {
      seen = []
      const ref = await fixture.put(people, more)
      await fixture.settled(ref)
      await until(() => runner.inFlight() === 0, 'the courier has done with it')
      await fixture.redis.echo(ref.id)
      await until(() => heard === ref.id, 'the monitor has heard all of it')
      return seen
        .filter((args) => args.some((arg) => arg.includes(ref.id) || /^(contacts|people|wishes|diary):/.test(arg)))
        .filter((args) => !args.some((arg) => aside.test(arg)))
        .map((args) => {
          const [command = '', script = ''] = args
          const said = args.map((arg) => alike(arg, ref)).join(' ')
          return `${/^eval/i.test(command) ? `${command} ${script.slice(0, 40)}` : command}: ${said.length} bytes`
        })
        .sort()
    }

    await commandsOf() // scripts are loaded
    const without = await commandsOf()
    expect(without.length).to.be.above(2)
    expect(seen.flat().filter(isOfPeople), 'nobody is read whose text is that of all').to.deep.equal([])
    const personal = await commandsOf({ text: 'x', personal: { fields: {} } })
    expect(seen.flat().filter(isOfPeople)).not.to.deep.equal([])
    expect(personal.length).to.be.above(without.length)
    expect(await fixture.redis.keys('diary:*'), 'nothing is noted of anybody').to.deep.equal([])
    const types = [type('news', 2), type('capped', 3, { caps: [{ n: 5, per: 'PT1H' }] })]
    await writeSettings(fixture.redis, { expected: 0, stored: { types }, by: 'operator-1' })
    expect(await commandsOf(), 'a message without a type, in a fleet with rules').to.deep.equal(without)
    const differs = async () =>
      JSON.stringify(await commandsOf({ rules: { type: 'capped' } })) !== JSON.stringify(without)
    await until(differs, 'the cap is known, and costs something')
    const noted = await fixture.redis.keys('diary:*')
    expect(noted).not.to.deep.equal([])
    await fixture.redis.del(noted)
    expect(await commandsOf({ rules: { type: 'news' } })).to.deep.equal(without)
    expect(await fixture.redis.keys('diary:*'), 'nothing is noted of anybody').to.deep.equal([])
    monitor.disconnect()
  })

  it('has no byte in its record for texts that others have in several languages, or with fields', async () => {
    const people = await fixture.people(1)
    const recordOf = async (more: Partial<PutInput>) => {
      const ref = await fixture.put(people, { text: 'Plain {{name}}', ...more })
      return (await fixture.redis.get(keys.record(ref))) ?? ''
    }
    const plain = await recordOf({})
    expect(plain.slice(plain.indexOf('['))).to.equal('["api","Plain {{name}}",["group:all"],6]')
    expect((await recordOf({ personal: { fields: {} } })).length).to.be.above(plain.length)
  })
})
