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
