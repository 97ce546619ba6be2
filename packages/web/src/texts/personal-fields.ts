/** Words of templates and of fields in a text: loaded with them. */
import { createPlural } from '@courier-fleet/words'
import { useStores } from '../stores.ts'

const ruCount = createPlural('ru')
const enCount = createPlural('en')

const ru = {
  template: 'Шаблон',
  none: 'Без шаблона: напишу сам',
  fields: 'Что подставить в текст',
  ofAll: 'одно для всех; оставьте пустым, и у каждого будет своё',
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
  fields: 'What to put in the text',
  ofAll: 'the same for everyone; leave empty to use what each person has',
  such: (example) => `such as ${example}`,
  missing: 'Enter what to put in the text.',
  noValue: (people) => `Not known for ${enCount(people, { one: 'person', other: 'people' })}. Enter one for everyone.`,
  reader: 'Show it as read by',
  longest: 'whoever reads the longest text',
  asReads: (name) => `This is how ${name} will read it. Others will read their own.`,
}

const personalWords = { ru, en } as const

export const usePersonalWords = (): typeof ru => personalWords[useStores().language.code.value]
