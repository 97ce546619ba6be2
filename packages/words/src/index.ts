/** What programs have: the words of every language. A page in a browser has `words.ts`, and loads its language. */
import { en } from './en.ts'
import { ru } from './ru.ts'
import { addCatalogue } from './words-in.ts'

addCatalogue('en', en)
addCatalogue('ru', ru)

export * from './words.ts'
