/** The words of the accounts of a channel that has several: loaded where there is one. */
import { useStores } from '../stores.ts'

interface AccountWords {
  readonly names: Readonly<Record<string, string>>
  readonly works: (works: number, of: number) => string
  readonly trouble: Readonly<Record<'not-connected' | 'left-alone', (since: string) => string>>
  readonly asksToWait: (span: string) => string
  readonly wentBy: (people: string) => string
  readonly takenOverBy: (people: string) => string
}

const en: AccountWords = {
  names: { first: 'First account', second: 'Second account' },
  works: (works, of) =>
    works === of ? 'works' : works === 0 ? 'does not work' : `works for ${works} of ${of} couriers`,
  trouble: {
    'not-connected': (since) => `not connected since ${since}`,
    'left-alone': (since) => `left alone since ${since}`,
  },
  asksToWait: (span) => `asks to wait for ${span} more`,
  wentBy: (people) => `${people} went by it`,
  takenOverBy: (people) => `${people} of them in the place of the other`,
}

const ru: AccountWords = {
  names: { first: 'Первое подключение', second: 'Второе подключение' },
  works: (works, of) =>
    works === of ? 'работает' : works === 0 ? 'не работает' : `работает у ${works} из ${of} курьеров`,
  trouble: {
    'not-connected': (since) => `нет связи с ${since}`,
    'left-alone': (since) => `не обращаемся с ${since}`,
  },
  asksToWait: (span) => `просит подождать ещё ${span}`,
  wentBy: (people) => `через него: ${people}`,
  takenOverBy: (people) => `из них вместо другого: ${people}`,
}

export const useAccountWords = (): AccountWords => ({ en, ru })[useStores().language.code.value]
