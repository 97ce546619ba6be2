/** The test files of the whole suite, in the parts that one run of mocha does each: a folder, or of a long one some files. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
/** each test of theirs starts a whole fleet, or nearly */
const wholeFleets = ['test/cluster', 'test/browser', 'test/e2e']
/** so many files a part, at most: whichever lane has ended sooner helps the others, and each part takes two seconds to begin */
const filesAPart = { wholeFleets: 6, others: 25 }

/**
 * @param {(path: string) => boolean} isRun
 * @returns {string[][]} the files of each part; first those of single packages, last those that start whole fleets
 */
export function filesOfParts(isRun) {
  const folders = new Map()
  // the fault suite's own tests take minutes: begun last, they would run by themselves at the end
  for (const path of ['tools', 'packages', 'test'].flatMap(testsIn).filter(isRun)) {
    const folder = path.startsWith('test/') ? path.split('/', 2).join('/') : path.split('/', 1)[0]
    folders.set(folder, [...(folders.get(folder) ?? []), path])
  }
  const place = ([folder]) => wholeFleets.indexOf(folder)
  return [...folders]
    .sort((one, other) => place(one) - place(other))
    .flatMap(([folder, files]) =>
      partsOf(files, wholeFleets.includes(folder) ? filesAPart.wholeFleets : filesAPart.others),
    )
}

function partsOf(files, most) {
  const parts = []
  for (let at = 0; at < files.length; at += most) parts.push(files.slice(at, at + most))
  return parts
}

function testsIn(folder) {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .map((entry) => `${entry.parentPath.slice(root.length + 1)}/${entry.name}`)
    .filter((path) => /\.test\.ts$/.test(path) && !/\/(node_modules|dist)\//.test(path))
    .sort()
}
