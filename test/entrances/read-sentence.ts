/** Reads the numbers of a sentence back, as a person would: from its words alone. */
import { type PeopleClass, peopleClasses } from '@courier-fleet/api-types'
import type { Language } from '@courier-fleet/words'

/** the words before or after the number of each class, in the sentences of every entrance */
const patterns: Readonly<Record<Language, Readonly<Record<PeopleClass, RegExp>>>> = {
  ru: {
    delivered: /(?:доставлено|дост\.|Дошло до всех(?:, у кого есть контакт)?:)(?: —)? (\d+)/g,
    sentToChat:
      /(?:в чат|принято(?: другой)? системой|принято службой(?: уведомлений браузера)?|принято)(?: —)? (\d+)/g,
    handedOver: /(?:подтверждения ещё нет —|не подтверждено|не подтв\.) (\d+)/g,
    pending: /(?:ещё отправляется —|в пути|ждут(?: —)?) (\d+)/g,
    toldByVoice: /(?:сказано голосом|голосом)(?: —)? (\d+)/g,
    unknown: /(?:неизвестно, дошло ли —|неизвестно|неизв\.) (\d+)/g,
    notDelivered: /не дошло(?: —)? (\d+)/g,
    withoutContact: /(?:без контакта —|без контакта|без конт\.|ни у кого из) (\d+)/g,
  },
  en: {
    delivered: /(?:(\d+) delivered|(?<!not )delivered (\d+)|got it: (\d+))/g,
    sentToChat:
      /(?:(\d+) (?:sent to (?:the )?chat|taken by another system|taken by push service|taken by the push service of the browser)|(?:sent to chat|in chat|taken by another system|taken by push service|taken) (\d+))/g,
    handedOver:
      /(?:(\d+) taken by [^;.]*, not confirmed yet|(\d+) not confirmed|not confirmed (\d+)|unconfirmed (\d+))/g,
    pending: /(?:(\d+) still being sent|(\d+) being sent|being sent (\d+)|sending (\d+)|(\d+) waiting|waiting (\d+))/g,
    toldByVoice: /(?:(\d+) told by voice|told by voice (\d+)|by voice (\d+))/g,
    unknown: /(?:(\d+) not known|not known (\d+)|unknown (\d+))/g,
    notDelivered: /(?:(\d+) not delivered|not delivered (\d+)|failed (\d+))/g,
    withoutContact: /(?:(\d+) without a contact|without a contact (\d+)|no contact (\d+)|none of (\d+))/g,
  },
}

/** reasons stand in brackets behind the number they explain */
const brackets = /\(([^()]*)\)/g

export interface Read {
  readonly counts: ReadonlyMap<PeopleClass, number>
  /** of each pair of brackets: the sum of the reasons */
  readonly whys: readonly number[]
}

/** @throws when a class has two numbers in one sentence */
export function readSentence(language: Language, text: string): Read {
  const bare = text.replace(brackets, '')
  const counts = new Map<PeopleClass, number>()
  for (const name of peopleClasses) {
    const found = [...bare.matchAll(patterns[language][name])].map((match) => match.slice(1).find(Boolean))
    if (found.length > 1) throw new Error(`${name} is told ${found.length} times: ${text}`)
    if (found[0] !== undefined) counts.set(name, Number(found[0]))
  }
  const whys = [...text.matchAll(brackets)]
    .map(([, inside = '']) => (inside.match(/\d+/g) ?? []).map(Number))
    .filter((numbers) => numbers.length > 0)
    .map((numbers) => numbers.reduce((sum, each) => sum + each, 0))
  return { counts, whys }
}

const claims: Readonly<Record<Language, { readonly notSo: RegExp; readonly gotIt: RegExp }>> = {
  ru: {
    notSo: /не дошло|неизвестно, дошло ли|Ни до кого не дошло|Ни о ком не известно, что дошло|но не доставлено/gi,
    gotIt: /дошло|дост\.|доставлен|получил/i,
  },
  en: {
    notSo: /not delivered|not known whether it arrived|Nobody got it|It is not known that anybody got it/gi,
    gotIt: /got it|delivered|arrived/i,
  },
}

/** Whether it says that somebody got it. */
export function saysGotIt(language: Language, text: string): boolean {
  const { notSo, gotIt } = claims[language]
  return gotIt.test(text.replace(notSo, ''))
}

/** where seven numbers do not fit into an SMS */
const four =
  /: (?:доставлено (?<delivered>\d+), )?отправлено (?<sent>\d+)(?:, неизв\. (?<unknown>\d+))?(?:, не дошло (?<not>\d+))?$/

/** @returns the numbers of the four things; undefined where it has those of all classes */
export function readFourThings(text: string): readonly number[] | undefined {
  const { groups } = four.exec(text) ?? {}
  return groups && ['delivered', 'sent', 'unknown', 'not'].map((name) => Number(groups[name] ?? 0))
}
