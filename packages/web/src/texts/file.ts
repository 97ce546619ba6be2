/** The words of the files of a message: loaded with them. */
import { useStores } from '../stores.ts'

interface FileWords {
  readonly label: string
  readonly size: (bytes: number) => string
  readonly until: (moment: string) => string
  /** the channels follow */
  readonly asLink: string
}

const kilobytes = (language: string, bytes: number) => new Intl.NumberFormat(language).format(Math.ceil(bytes / 1024))

const ru: FileWords = {
  label: 'Файл',
  size: (bytes) => `${kilobytes('ru', bytes)} КБ`,
  until: (moment) => `хранится до: ${moment}`,
  asLink: 'ссылкой:',
}

const en: FileWords = {
  label: 'File',
  size: (bytes) => `${kilobytes('en', bytes)} KB`,
  until: (moment) => `kept until ${moment}`,
  asLink: 'as a link:',
}

export const fileWords = { ru, en } as const

export const useFileWords = (): FileWords => fileWords[useStores().language.code.value]
