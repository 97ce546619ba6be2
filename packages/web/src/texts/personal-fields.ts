/** Words of templates and of fields in a text: loaded with them. */
import { createPlural } from '@courier-fleet/words'
import { useStores } from '../stores.ts'

const ruCount = createPlural('ru')
const enCount = createPlural('en')

const ru = {
  template: 'Шаблон',
  none: 'Без шаблона: напишу сам',
  fields: 'Что подставить в текст',
  ofAll: 'одно для всех; пусто — у каждого своё',
  such: (example: string) => `например, ${example}`,
  missing: 'Укажите, что подставить в текст.',
  noValue: (people: number) =>
    `Не известно для ${ruCount(people, { one: 'человека', few: 'человек', many: 'человек', other: 'человек' })}. Укажите одно для всех.`,
  reader: 'Чьими глазами показать',
  longest: 'того, у кого текст длиннее всех',
  asReads: (name: string) => `Так прочтёт ${name}. У других людей вместо этого будет своё.`,
}

const en: typeof ru = {
  template: 'Template',
  none: 'No template: I will write it',
  fields: 'What the text is to say',
  ofAll: 'one for everybody; empty: what each has',
  such: (example) => `such as ${example}`,
  missing: 'Say what stands here in the text.',
  noValue: (people) => `Not known of ${enCount(people, { one: 'person', other: 'people' })}. Give one for everybody.`,
  reader: 'Show it as read by',
  longest: 'whoever reads the longest text',
  asReads: (name) => `So ${name} will read it. Others will read what is theirs.`,
}

const personalWords = { ru, en } as const

export const usePersonalWords = (): typeof ru => personalWords[useStores().language.code.value]
