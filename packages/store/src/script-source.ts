/** The text of a script as Redis is given it: lua/<name>.lua with what it includes of lua/lib/. */
import { readFileSync } from 'node:fs'

const folder = new URL('../../../lua/', import.meta.url)
const read = (path: string) => readFileSync(new URL(`${path}.lua`, folder), 'utf8')
const libraries = new Map<string, string>()

function library(name: string): string {
  const text = libraries.get(name) ?? read(`lib/${name}`)
  libraries.set(name, text)
  return text
}

/**
 * With a first line that makes Redis strict: a script that touches keys of two slots fails on a cluster of any size, and where
 * memory is full or Redis may not write it is refused before its first step, not in the midst of them.
 */
export function sourceOf(name: string): string {
  const text = read(name)
  const flags = /^Flags: (.+)$/m.exec(text)?.[1]
  const whole = text.replace(/^--#include (\S+)$/gm, (_line, included: string) => library(included))
  return `#!lua${flags ? ` flags=${flags}` : ''}\n${withoutUnused(whole)}`
}

const functions = /^local function (\w+)\((?:.*\bend|.*\n(?:.*\n)*?end)$/gm

/**
 * Without functions that nothing names: Redis makes every function of a script at every call of it, lib/keys.lua alone has
 * fifty, and a script may have two hundred local names. One that is gone may have been all that named another.
 */
function withoutUnused(text: string): string {
  const times = new Map<string, number>()
  for (const [word] of text.matchAll(/\w+/g)) times.set(word, (times.get(word) ?? 0) + 1)
  const less = text.replace(functions, (whole, name: string) => (times.get(name) === 1 ? '' : whole))
  return less === text ? text : withoutUnused(less)
}
