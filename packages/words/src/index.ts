/**
 * What programs have: the words of every language. A page in a browser has `words.ts`, and loads its language; what only operators are
 * told it imports by its file, so that no other page carries it.
 */
import { en } from './en.ts'
import { ru } from './ru.ts'
import { addCatalogue } from './words-in.ts'

addCatalogue('en', en)
addCatalogue('ru', ru)

export { budgetSpentWords } from './budget-spent-words.ts'
export * from './change-rehearsal-words.ts'
export * from './concern-words.ts'
export * from './endpoint-words.ts'
export * from './message-troubles.ts'
export * from './setting-words.ts'
export * from './settings-use-words.ts'
export * from './short-span.ts'
export * from './trouble-words.ts'
export * from './troubles.ts'
export * from './tuning-warnings.ts'
export * from './words.ts'
