/** What became of the notice, counted twice: by what the stand-ins took, and by the history. */
import { type HistoryView, smsPartsOf } from '@courier-fleet/api-types'
import { outcomeWords, stepsWords } from '@courier-fleet/words'
import type { Fleet } from '../e2e/fleet.ts'
import type { Student } from '../e2e/roster.ts'

/** Somebody has pressed the button under this text. */
export interface Press {
  readonly person: string
  readonly channel: 'telegram' | 'vk'
  /** number of the text */
  readonly version: number
  /** by when it was certainly noted, Unix ms */
  readonly notedMs: number
}

export interface ExamCounts {
  readonly people: number
  /** who has it in a chat */
  readonly chats: { readonly telegram: number; readonly vk: number }
  /** how many have confirmed each text */
  readonly confirmed: readonly number[]
  readonly edited: number
  /** of the history: what it said in the end, of each step, and of money */
  readonly sentence: string
  readonly steps: readonly string[]
  /** people who got an SMS, by the SMS centre; who had confirmed and was spared; messages of SMS, and their parts */
  readonly sms: { readonly people: number; readonly spared: number; readonly messages: number; readonly parts: number }
  /** millionths: what those parts cost */
  readonly cost: number
  /** what must not be, in words */
  readonly wrong: readonly string[]
}

interface Exam {
  readonly key: string
  readonly students: readonly Student[]
  readonly presses: readonly Press[]
  readonly corrected: string
  /** millionths */
  readonly perPart: number
}

export async function countExam(fleet: Fleet, exam: Exam): Promise<ExamCounts> {
  const { key, students, presses, corrected, perPart } = exam
  const history = await fleet.api.get<HistoryView>(`/v1/histories/${key}`)
  const { versions = [], steps = [], ceiling } = history
  const rows = (await fleet.sandbox.accepted()).filter(({ text }) => text.includes('Экзамен по физике'))
  const revised = new Map(
    (await fleet.sandbox.revisions()).map((each) => [`${each.channel} ${each.providerId}`, each.text]),
  )
  const wrong: string[] = []
  for (const { channel, address, text, providerId } of rows) {
    const now = revised.get(`${channel} ${providerId}`) ?? text
    if (channel !== 'sms' && !now.includes(corrected)) wrong.push(`${channel} ${address} has the older text: ${now}`)
  }
  const sms = rows.filter(({ channel }) => channel === 'sms')
  const parts = sms.reduce((sum, { text }) => sum + smsPartsOf(text).parts.length, 0)
  const got = new Set(sms.map(({ address }) => address))
  const phoneOf = (person: string) => students.find(({ id }) => id === person)?.contacts.sms
  for (const { person, notedMs } of presses)
    if (sms.some(({ address, at }) => address === phoneOf(person) && at > notedMs))
      wrong.push(`${person} had confirmed it, and got an SMS`)
  if (ceiling?.spent !== parts * perPart)
    wrong.push(`${ceiling?.spent} are said to be spent, and ${parts} parts cost ${parts * perPart}`)
  const newest = [...got].filter((address) => sms.findLast((row) => row.address === address)?.text.includes(corrected))
  if (newest.length < got.size) wrong.push(`${got.size - newest.length} have the older text by SMS last`)
  const edited = Object.values(versions.at(-1)?.corrected ?? {}).reduce((sum, each) => sum + each.edited, 0)
  return {
    people: history.audience?.size ?? 0,
    chats: {
      telegram: new Set(rows.filter(({ channel }) => channel === 'telegram').map(({ address }) => address)).size,
      vk: new Set(rows.filter(({ channel }) => channel === 'vk').map(({ address }) => address)).size,
    },
    confirmed: versions.map(({ confirmed = 0 }) => confirmed),
    edited,
    sentence: outcomeWords('en', history).sentence,
    steps: stepsWords('en', steps),
    sms: { people: got.size, spared: steps.at(-1)?.spared ?? 0, messages: sms.length, parts },
    cost: parts * perPart,
    wrong,
  }
}
