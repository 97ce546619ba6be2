/** Takes files away that no message needs. Several processes may do so at once: whoever renames the folder does it. */
import { rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { endOf, type FileUse, findFile, ignoreMissing, namesIn, readAbout, usesIn } from './file-folder.ts'

const goneMark = /^\.gone-/
/** one on its way in or out that nobody has touched for so long is what a crash has left */
const leftMs = 6 * 3_600_000

/** Those that nothing needs any more, and what crashes have left. @returns how many files */
export async function sweepFiles(dir: string, nowMs: number): Promise<number> {
  let removed = 0
  for (const name of await namesIn(dir)) {
    if (/^\.(new|gone)-/.test(name)) await tidy(dir, name, nowMs)
    const file = await findFile(dir, name)
    const isNeeded = (uses: readonly FileUse[]) => file !== undefined && endOf(file, uses) > nowMs
    if (file && !isNeeded(await usesIn(dir, name)) && (await remove(dir, name, isNeeded))) removed += 1
  }
  return removed
}

/** What they uploaded, and what only messages to them alone have. @returns how many files */
export async function removeFilesOf(dir: string, person: string): Promise<number> {
  let removed = 0
  const isForThem = (uses: readonly FileUse[]) => uses.length > 0 && uses.every((use) => use.person === person)
  for (const name of await namesIn(dir)) {
    // also of what a process that died was about to take away
    const id = name.replace(goneMark, '')
    const file = await readAbout(dir, name, id)
    if (!file || !(file.of === person || isForThem(await usesIn(dir, name)))) continue
    const isNeeded = (uses: readonly FileUse[]) => file.of !== person && !isForThem(uses)
    if (name !== id) await rm(join(dir, name), { recursive: true, force: true })
    if (name !== id || (await remove(dir, id, isNeeded))) removed += 1
  }
  return removed
}

/** @param isNeeded asked once nobody can find it any more: a message may have named it meanwhile. @returns whether it is gone */
async function remove(dir: string, id: string, isNeeded: (uses: readonly FileUse[]) => boolean): Promise<boolean> {
  const gone = `.gone-${id}`
  // another process was faster
  if (!(await isRenamed(join(dir, id), join(dir, gone)))) return false
  if (isNeeded(await usesIn(dir, gone))) {
    await isRenamed(join(dir, gone), join(dir, id))
    return false
  }
  await rm(join(dir, gone), { recursive: true, force: true })
  return true
}

/** What a process that died was about to take away is judged again. */
async function tidy(dir: string, name: string, nowMs: number): Promise<void> {
  const touched = await stat(join(dir, name)).catch(ignoreMissing)
  if (!touched || Math.max(touched.mtimeMs, touched.ctimeMs) + leftMs > nowMs) return
  const file = goneMark.test(name) ? await readAbout(dir, name, name.replace(goneMark, '')) : undefined
  if (file && endOf(file, await usesIn(dir, name)) > nowMs) await isRenamed(join(dir, name), join(dir, file.id))
  else await rm(join(dir, name), { recursive: true, force: true })
}

/** @returns false where there is nothing to rename */
const isRenamed = (from: string, to: string): Promise<boolean> =>
  rename(from, to).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      ignoreMissing(error)
      return false
    },
  )
