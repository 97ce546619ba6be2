import { type Exam, Problem } from '@courier-fleet/api-types'
import type { Directory } from '@courier-fleet/directory'

/** An exam of a group that there is not would hold nobody. @throws Problem 422 `unknown-group`, field `exams.N.group` */
export async function requireKnownGroups(
  directory: Pick<Directory, 'namesOfGroups'>,
  exams: readonly Exam[] = [],
): Promise<void> {
  const names = await directory.namesOfGroups(exams.map(({ group }) => `group:${group}`))
  const index = names.indexOf(undefined)
  const exam = exams[index]
  if (exam) throw new Problem(422, 'unknown-group', `there is no group "${exam.group}"`, `exams.${index}.group`)
}

/**
 * Of what a version of the settings would bring back: that a group which holds nobody now has gone since is no reason to refuse.
 * @throws Problem 422 `group-gone`, field `exams.N.group`
 */
export async function requireGroupsStillThere(
  directory: Pick<Directory, 'namesOfGroups'>,
  version: number,
  { exams, now }: { readonly exams: readonly Exam[]; readonly now: readonly Exam[] },
): Promise<void> {
  const isNamedNow = ({ group }: Exam) => now.some((exam) => exam.group === group)
  const names = await directory.namesOfGroups(exams.map(({ group }) => `group:${group}`))
  const index = exams.findIndex((exam, at) => names[at] === undefined && !isNamedNow(exam))
  const exam = exams[index]
  if (!exam) return
  const detail = `version ${version} names an exam of the group "${exam.group}", which there is not any more: make the group again, or change what is to be as it was then by itself`
  throw new Problem(422, 'group-gone', detail, `exams.${index}.group`)
}
