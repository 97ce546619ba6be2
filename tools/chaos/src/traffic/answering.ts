/** People who confirm what they were asked: they press the button or write back, and again until they are told that it is noted. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Sandbox } from '@courier-fleet/launch'
import { type ShapedMessage, type ShapedPerson, shapedMarkersIn } from '../shaped-messages.ts'
import type { PlannedAnswer } from './shaped-plan.ts'

export interface Answering {
  /** Resolves when they were told, or have tried in vain for a while; never throws. */
  answer(message: ShapedMessage, planned: PlannedAnswer): Promise<void>
}

const lookMs = 300
/** whoever is not told by then tries again */
const againMs = 3_000
/** after the time at which somebody was to answer */
const patienceMs = 12_000

const labels: readonly string[] = ['Прочитано', 'I have read this']
const saysNoted = /^(Отмечено|Noted)/

export function createAnswering(sandbox: Sandbox): Answering {
  /** @returns the message as it stands on their phone, and what was written to them after it */
  async function look({ marker }: ShapedMessage, by: 'telegram' | 'sms', address: string) {
    const { messages } = await sandbox.chat(by, address)
    const ours = messages.filter(({ from, text }) => from === 'client' && shapedMarkersIn(text).includes(marker))
    // a correction by a message of its own asks anew
    const last = ours.findLastIndex(({ text }) => !saysNoted.test(text))
    return { asked: ours[last], isNoted: ours.slice(last + 1).some(({ text }) => saysNoted.test(text)) }
  }

  /** @returns whether they were told that it is noted: the button goes then */
  async function press(message: ShapedMessage, { person }: PlannedAnswer, address: string): Promise<boolean> {
    const { asked } = await look(message, 'telegram', address)
    if (!asked) return false
    const label = asked.buttons?.flat().find((each) => labels.includes(each))
    // the button of the text that they have answered is gone
    if (label === undefined) return message.answers.get(person.id)?.at(-1)?.text === asked.text
    await sandbox.press('telegram', address, { message: asked.id, label })
    note(message, person, asked.text)
    return untilTold(async () => (await look(message, 'telegram', address)).asked?.buttons === undefined)
  }

  async function writeBack(message: ShapedMessage, { person }: PlannedAnswer, address: string): Promise<boolean> {
    const { asked, isNoted } = await look(message, 'sms', address)
    const number = / (\d\d)$/.exec(asked?.text ?? '')?.[1]
    if (!asked || isNoted || number === undefined) return isNoted
    await sandbox.say('sms', address, `ДА ${number}`)
    note(message, person, asked.text)
    return untilTold(async () => (await look(message, 'sms', address)).isNoted)
  }

  const note = ({ answers }: ShapedMessage, { id }: ShapedPerson, text: string): void =>
    void answers.set(id, [...(answers.get(id) ?? []), { text, atMs: Date.now() }])

  async function untilTold(isTold: () => Promise<boolean>): Promise<boolean> {
    for (const giveUpAt = Date.now() + againMs; Date.now() < giveUpAt; await sleep(lookMs))
      if (await isTold()) return true
    return false
  }

  return {
    async answer(message, planned) {
      const { person, by, inMs } = planned
      const address = person.contacts[by] as string
      await sleep(inMs)
      for (const giveUpAt = Date.now() + patienceMs; Date.now() < giveUpAt; await sleep(lookMs)) {
        // a button that goes while it is pressed is no button
        const isTold = await (by === 'telegram' ? press : writeBack)(message, planned, address).catch(() => false)
        if (!isTold) continue
        message.notedOf.add(person.id)
        return
      }
    },
  }
}
