/** The words above what a correction or a withdrawal would do: loaded with its dialog. */
import { useStores } from '../stores.ts'

const ru = { title: 'Что будет, если продолжить сейчас:' }
const en: typeof ru = { title: 'What happens if you go on now:' }

const foreseenWords = { ru, en } as const

export const useForeseenWords = (): typeof ru => foreseenWords[useStores().language.code.value]
