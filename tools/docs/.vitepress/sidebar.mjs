/** What stands at the side: the pages to begin with, and below them every other page, by who needs it. */
import { addressOf, titleOf } from '../pages.mjs'
import { words } from './words.mjs'

/** pages by who needs them; whatever stands nowhere here is a maintainer's */
const files = {
  teacher: ['docs/sms-inbound.md'],
  operator: [
    'docs/command-line.md',
    'docs/sizing.md',
    'docs/backup.md',
    'docs/upgrading.md',
    'docs/cluster.md',
    'docs/kubernetes.md',
    'docs/sms-centres.md',
    'packages/directory/README.md',
    'demo/README.md',
  ],
  engineer: ['docs/api.md', 'docs/afternoon.md', 'docs/receiving.md', 'docs/coming-from.md'],
}
const entrances = ['index', ...Object.keys(words.en.entrances)]
const decisions = 'docs/decisions/'

/** @param {string[]} pages  every page, from the root */
export function sidebarOf(language, pages) {
  const folder = language === 'en' ? 'docs/' : `docs/${language}/`
  const begin = { text: words[language].begin, items: entrances.map((name) => itemOf(`${folder}${name}.md`)) }
  if (language !== 'en') return [begin]
  const named = new Set([...Object.values(files).flat(), ...entrances.map((name) => `docs/${name}.md`)])
  const others = pages.filter((file) => !named.has(file) && !file.startsWith('docs/ru/') && !file.startsWith(decisions))
  const groups = Object.entries({ ...files, maintainer: others }).map(([name, of]) => ({
    text: words.en.entrances[name],
    items: of.map(itemOf),
  }))
  const made = pages.filter((file) => file.startsWith(decisions))
  return [begin, ...groups, { text: 'Decisions', collapsed: true, items: made.map(itemOf) }]
}

const itemOf = (file) => ({ text: titleOf(file), link: addressOf(file) })
