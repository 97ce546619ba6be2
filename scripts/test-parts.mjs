/** Test files, those of the whole suite or of what was asked for, in the parts that one run of mocha does each: a folder, or of a long one some files. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'

const root = join(import.meta.dirname, '..')
/** each test of theirs starts a whole fleet, or nearly */
const wholeFleets = ['test/cluster', 'test/browser', 'test/e2e']
/** so many files a part, at most: whichever lane has ended sooner helps the others, and each part takes two seconds to begin */
const filesAPart = { wholeFleets: 6, others: 25 }

/** of mocha's options, whose value may look like a folder */
const takesPattern = /^(-g|-f|--f?grep)$/

/**
 * What was asked for on the command line. A folder means the test files in it: a program that lies beside them would begin its work, if it
 * were loaded. A file is taken as it is named.
 * @param {readonly string[]} given
 * @returns {{ options: string[], files: string[] | undefined }} what is mocha's own; the files, undefined where none are named
 * @throws Error where a folder has none
 */
export function askedFor(given) {
  const isNamed = (arg, index) =>
    /^(packages|tools|test)(\/|$)|\.test\.ts$/.test(arg) && !takesPattern.test(given[index - 1] ?? '')
  const named = given.filter(isNamed)
  return {
    options: given.filter((arg, index) => !isNamed(arg, index)),
    files: named.length > 0 ? [...new Set(named.flatMap(filesOf))] : undefined,
  }
}

/** @returns {string[]} all there are; the fault suite's own tests take minutes: begun last, they would run by themselves at the end */
export const allTests = () => ['tools', 'packages', 'test'].flatMap(testsIn)

/** @returns {string[]} those whose cases are drawn by fast-check */
export const propertyTests = () =>
  allTests().filter((path) => readFileSync(join(root, path), 'utf8').includes(" from 'fast-check'"))

/**
 * @param {readonly string[]} files
 * @returns {string[][]} the files of each part; first those of single packages, last those that start whole fleets
 */
export function partsOf(files) {
  const folders = new Map()
  for (const path of files) {
    const folder = path.startsWith('test/') ? path.split('/', 2).join('/') : path.split('/', 1)[0]
    folders.set(folder, [...(folders.get(folder) ?? []), path])
  }
  const place = ([folder]) => wholeFleets.indexOf(folder)
  return [...folders]
    .sort((one, other) => place(one) - place(other))
    .flatMap(([folder, files]) =>
      slices(files, wholeFleets.includes(folder) ? filesAPart.wholeFleets : filesAPart.others),
    )
}

function filesOf(named) {
  if (!statSync(join(root, named), { throwIfNoEntry: false })?.isDirectory()) return [named]
  const files = testsIn(named)
  if (files.length === 0) throw new Error(`there are no tests in ${named}`)
  return files
}

function slices(files, most) {
  const parts = []
  for (let at = 0; at < files.length; at += most) parts.push(files.slice(at, at + most))
  return parts
}

function testsIn(folder) {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((path) => /\.test\.ts$/.test(path) && !/\/(node_modules|dist)\//.test(path))
    .sort()
}
