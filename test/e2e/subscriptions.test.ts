/**
 * Whatever happens to notifiers, hints and answers: all that a subscriber took, applied in order, is what there is. Real processes, killed at
 * any moment; the numbers of a run stand in its name, so that one that fails can be run again.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { createProcesses, type Processes } from '@courier-fleet/launch'
import { keys, settingsOf, type View } from '@courier-fleet/store'
import { createViews } from '@courier-fleet/subscriptions'
import { randomNumbers, until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { createFixture, environment, type Fixture } from '../../packages/notifier/test/fixture.ts'
import type { Receiver, Request } from '../../packages/notifier/test/receiver.ts'
import { commandOf, notifierProgram } from '../../scripts/programs.mjs'

const people = ['anna', 'boris', 'clara', 'dmitri', 'elena', 'fjodor']
const groups = ['g1', 'g2', 'g3']
const cohorts = ['c1', 'c2']
/** what is followed, each kind by a receiver of its own */
const followed = {
  person: people,
  group: groups,
  cohort: cohorts,
  ownership: [...groups.map((id) => `group:${id}`), ...cohorts.map((id) => `cohort:${id}`)],
} as const
type Followed = keyof typeof followed
const kinds = Object.keys(followed) as Followed[]
type Receivers = Readonly<Record<Followed, Receiver>>
const steps = 150

describe('what subscribers are told by processes that are killed', () => {
  let fixture: Fixture
  let processes: Processes
  let dir: string

  function run(name: string): void {
    const program = notifierProgram({ redisUrl: fixture.url, name })
    const env = { NODE_ENV: 'production', PROCESS_NAME: name, LOG_LEVEL: 'info', ...environment }
    processes.run(name, { ...commandOf(program), env: { ...env, ...program.env, HTTP_RETRY_SCALE: '0.0005' } })
  }
  const ready = (name: string) => until(() => processes.member(name).output.includes('started'), `${name} runs`)

  beforeEach(async () => {
    dir = mkdtempSync(join(tmpdir(), 'courier-fleet-subscriptions-'))
    fixture = await createFixture()
    processes = createProcesses({})
  })
  afterEach(async () => {
    processes.end()
    await fixture.stop()
    rmSync(dir, { recursive: true, force: true })
  })

  /** One change of something at random: made, changed, filled, emptied, removed. */
  function changesOf(random: () => number) {
    const { directory } = fixture
    const any = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T
    const ignore = () => {} // of what there is not now
    let count = 0
    return async (): Promise<void> => {
      count += 1
      const person = any(people)
      const group = any(groups)
      const put = {
        id: person,
        name: `Name ${count}`,
        role: any(['student', 'trainer'] as const),
        timeZone: 'UTC',
        language: 'ru',
      } as const
      const isReturning = { isReturning: true }
      const owners = () => (random() < 0.5 ? ['dean'] : [])
      const cohort = any(cohorts)
      const changes: (() => Promise<unknown>)[] = [
        () => directory.putPerson(put, isReturning),
        () => directory.putPerson(put, isReturning),
        () => directory.deletePerson(person),
        () => directory.linkContact('vk', person, String(1000 + count)),
        () => directory.setConsent('vk', person, random() < 0.5),
        () => directory.putGroup({ id: group, name: `Group ${count}`, owners: owners() }),
        () => directory.deleteGroup(group),
        () => directory.addMembers(group, [person]),
        () => directory.removeMembers(group, [person]),
        () => directory.putCohort({ id: cohort, name: `Cohort ${count}`, owners: owners(), groups: [group] }),
        () => directory.putCohort({ id: cohort, name: `Cohort ${count}`, owners: owners(), groups: [] }),
        () => directory.deleteCohort(cohort),
      ]
      await any(changes)().catch(ignore)
    }
  }

  /** What the owner of all subscriptions may read now. */
  async function viewsNow(): Promise<Record<string, View>> {
    const views = createViews({ ...fixture, settings: { current: () => settingsOf({}), look: async () => {} } })
    const reader = { owner: 'root', role: 'admin' } as const
    const found: Record<string, View> = {}
    for (const kind of kinds)
      for (const id of followed[kind]) found[`${kind} ${id}`] = (await views.viewOf(reader, kind, id)) ?? {}
    return found
  }
  const toldTo = (receivers: Receivers) =>
    Object.fromEntries(
      kinds.flatMap((kind) => followed[kind].map((id) => [`${kind} ${id}`, receivers[kind].view(id)] as const)),
    )

  /** Something came, or nothing is left to come. */
  async function moved(receiver: Receiver): Promise<void> {
    const before = receiver.requests.length
    const ids = (await fixture.subscriptions.list()).filter(({ url }) => url === receiver.url).map(({ id }) => id)
    const isQuiet = async () => {
      const due = await Promise.all(ids.map((id) => fixture.redis.zcard(keys.subscriptionDue(id))))
      return due.every((each) => each === 0)
    }
    await until(async () => receiver.requests.length > before || (await isQuiet()), 'something is told')
  }

  const seeds = [1, 2]
  for (const seed of seeds) {
    it(`is what there is, in order, after ${steps} changes, kills, lost answers and refusals (seed ${seed})`, async () => {
      const random = randomNumbers(seed)
      // drawn from in the order in which calls come: what is changed and who is killed does not hang on that
      const mood = randomNumbers(seed + seeds.length)
      const [person, group, cohort, ownership, dead] = (await Promise.all(
        [1, 2, 3, 4, 5].map(() => fixture.startReceiver()),
      )) as [Receiver, Receiver, Receiver, Receiver, Receiver]
      const receivers: Receivers = { person, group, cohort, ownership }
      const alive = Object.values(receivers)
      const moody = (_request: Request) => {
        const chance = mood()
        return chance < 0.15 ? 'lost' : chance < 0.25 ? 500 : 204
      }
      for (const receiver of alive) receiver.behave(moody)
      dead.behave(() => 'silent')
      for (const kind of kinds) {
        await fixture.subscribe(dead, kind)
        await fixture.subscribe(receivers[kind], kind)
      }
      const names = ['notifier-1', 'notifier-2']
      for (const name of names) run(name)
      await Promise.all(names.map(ready))
      const change = changesOf(random)
      let kills = 0
      for (let step = 0; step < steps; step += 1) {
        await change()
        if (step % 5 === 0) await moved(person)
        if (random() < 0.04) {
          const name = names[Math.floor(random() * names.length)] as string
          await processes.member(name).stop('SIGKILL')
          kills += 1
          run(name)
        }
      }
      expect(kills).to.be.above(0)
      // the last changes are made while bodies wait for their next try
      for (const receiver of alive) receiver.behave(() => 500)
      for (let i = 0; i < 20; i += 1) await change()
      const before = person.requests.length
      await until(() => person.requests.length > before + 2, 'some have failed')
      for (let i = 0; i < 20; i += 1) await change()
      for (const receiver of alive) receiver.behave(moody)
      const expected = await viewsNow()
      await until(() => isDeepStrictEqual(toldTo(receivers), expected), 'all of it is told').catch((error) => {
        // says what was told otherwise
        expect(toldTo(receivers)).to.deep.equal(expected)
        throw error
      })
      for (const receiver of [...alive, dead]) {
        expect(receiver.disorder(true)).to.deep.equal([])
        expect(receiver.faults).to.deep.equal([])
      }
      expect(person.requests.length, 'repeats').to.be.above(person.changes().length)
    })
  }
})
