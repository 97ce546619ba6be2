/** Which programs this machine has. */
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/**
 * @param {readonly string[]} names what a program may be called, best first
 * @param {string} [path] as PATH is written
 * @returns {string[]} in the order of the names; of a name that is in several folders, the first
 */
export function onPath(names, path = '') {
  const folders = path.split(delimiter).filter(Boolean)
  return names.flatMap((name) => folders.map((folder) => join(folder, name)).find(isExecutable) ?? [])
}

export function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
