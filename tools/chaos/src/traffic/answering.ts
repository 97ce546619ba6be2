/** People who confirm what they were asked: they press the button or write back, and again until they are told that it is noted. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Sandbox } from '@courier-fleet/launch'
import { type ShapedMessage, shapedMarkersIn } from '../shaped-messages.ts'
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
    return {
      asked: ours.find(({ text }) => !saysNoted.test(text)),
      isNoted: ours.some(({ text }) => saysNoted.test(text)),
    }
  }

  /** @returns whether they were told that it is noted: the button goes then */
  async function press(message: ShapedMessage, { person }: PlannedAnswer, address: string): Promise<boolean> {
    const { asked } = await look(message, 'telegram', address)
    if (!asked) return false
    const label = asked.buttons?.flat().find((each) => labels.includes(each))
    if (label === undefined) return message.answeredBy.has(person.id)
    message.answeredBy.add(person.id)
    await sandbox.press('telegram', address, { message: asked.id, label })
    return untilTold(async () => (await look(message, 'telegram', address)).asked?.buttons === undefined)
  }

  async function writeBack(message: ShapedMessage, { person }: PlannedAnswer, address: string): Promise<boolean> {
    const { asked, isNoted } = await look(message, 'sms', address)
    const number = / (\d\d)$/.exec(asked?.text ?? '')?.[1]
    if (isNoted || number === undefined) return isNoted
    message.answeredBy.add(person.id)
    await sandbox.say('sms', address, `ДА ${number}`)
    return untilTold(async () => (await look(message, 'sms', address)).isNoted)
  }

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
