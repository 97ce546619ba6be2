/** What teachers and students read: said in both languages, in words they know, in sentences that can be read at once. */
import { expect } from 'chai'
import { catalogues } from './catalogues.ts'

/** whose pages no teacher and no student sees */
const ofOperators = new RegExp(
  `/(${[
    'service|service-accounts|service-events|service-numbers|look-up|balance|process|budgets|channel-settings|settings-change|settings-use-words',
    'rules|concern-words|setting-catalogue|import|take-back|trouble-words|watcher/texts',
  ].join('|')}).ts$`,
)
/** how the fleet is built: for whoever maintains it, or other words stand for it */
const ours = {
  en: /\b(receipts?|ledgers?|unicode|couriers?|fleets?|waves?|legs?|claims?|ordinals?|redis|audiences?|shards?|leases?|payloads?|please)\b/i,
  ru: /квитанц|леджер|гроссбух|юникод|unicode|курьер|флот|волн[аоыуе]|ординал|redis|редис|шард|пожалуйста/i,
}
const longest = 25

const all = catalogues()
const read = all.filter(({ file }) => !ofOperators.test(file))
const inFile = (file: string) => file.replace(/\.(ru|en)\.ts$/, '').replace(/\/(ru|en)\.ts$/, '')

describe('what people are told', () => {
  it('is said in both languages, catalogue by catalogue', () => {
    const files = new Set(all.map(({ file }) => inFile(file)))
    const namesIn = (language: string, wanted: string) =>
      all.flatMap(({ file, names, ...each }) => (inFile(file) === wanted && each.language === language ? names : []))
    for (const file of files) expect(namesIn('ru', file).sort(), file).to.deep.equal(namesIn('en', file).sort())
    expect(files.size, 'catalogues were found').to.be.above(55)
  })

  it('has no word that only we know', () => {
    const said = read.flatMap(({ language, texts }) => texts.filter(({ text }) => ours[language].test(text)))
    expect(said.map(({ where, text }) => `${where}: ${text}`)).to.deep.equal([])
  })

  it(`has no sentence of more than ${longest} words`, () => {
    const said = read.flatMap(({ texts }) => texts)
    const long = said.flatMap(({ where, text }) =>
      sentencesOf(text)
        .filter((each) => wordsOf(each) > longest)
        .map((each) => `${where}: ${wordsOf(each)}: ${each}`),
    )
    expect(long).to.deep.equal([])
  })
})

const sentencesOf = (text: string) => text.split(/[.!?:;]\s|\n/)
const wordsOf = (sentence: string) => sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}…]/u.test(word)).length
