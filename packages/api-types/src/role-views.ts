/** Roles that operators make: each has the rights of one of the five, under its own name and with its own quota. */
import { z } from 'zod'
import { putOutcome } from './directory.ts'
import { roleId, smallCount } from './fields.ts'
import { givenNames, namesInLanguages } from './message-types.ts'
import { callerRoles, roles } from './roles.ts'
import { settingsConcerns } from './settings-concerns.ts'

export const roleBody = z
  .strictObject({
    name: givenNames.describe('what people are told it is called').meta({ examples: [{ ru: 'Декан', en: 'Dean' }] }),
    rights: z
      .enum(roles)
      .describe(
        'which of the five says what it may do, and to whom it may write: not `admin`. Of the five, of which only the quota is changed, their own. Of the moment',
      ),
    quota: z
      .int()
      .min(0)
      .max(999_999_999)
      .nullable()
      .describe('messages a day at most, whichever way they are sent; null: no limit. Of the moment')
      .meta({ examples: [3] }),
  })
  .describe('a role')
  .meta({ examples: [{ name: { ru: 'Декан', en: 'Dean' }, rights: 'staff', quota: 3 }] })
export type RoleInput = z.input<typeof roleBody>

/** As it is kept: one that was made, or one of the five where somebody has changed it. */
export const keptRole = z
  .strictObject({
    id: roleId,
    ...roleBody.shape,
    name: namesInLanguages.meta({ examples: [{ ru: 'Декан', en: 'Dean' }] }),
  })
  .describe('a role')
export type KeptRole = z.infer<typeof keptRole>

/** Always there; the quota of each is that of the environment until somebody sets another. */
export const builtInRoles: readonly Omit<KeptRole, 'quota'>[] = (
  [
    ['student', 'Студент', 'Student'],
    ['trainer', 'Преподаватель', 'Trainer'],
    ['staff', 'Сотрудник', 'Staff'],
    ['operator', 'Оператор', 'Operator'],
    ['admin', 'Администратор', 'Administrator'],
  ] as const
).map(([id, ru, en]) => ({ id, name: { ru, en }, rights: id }))

/** Of those that were made or changed; undefined for one of the five that is as it always is. */
export const findRole = (kept: readonly KeptRole[], id: string | undefined): KeptRole | undefined =>
  kept.find((role) => role.id === id)

/** Why it cannot be so, with the field: pages know the five by their names, and nobody may give an administrator's rights but as such. */
export function faultOfRole({ id, name, rights }: KeptRole): { field: string; detail: string } | undefined {
  const builtIn = builtInRoles.find((role) => role.id === id)
  if (builtIn) {
    const isSame = rights === id && name.ru === builtIn.name.ru && name.en === builtIn.name.en
    const detail = `the role ${id} keeps its name and rights: change its quota, or make another role`
    return isSame ? undefined : { field: rights === id ? 'name' : 'rights', detail }
  }
  if (callerRoles.some((role) => role === id)) return { field: 'id', detail: `"${id}" is a role of API keys` }
  return rights === 'admin'
    ? { field: 'rights', detail: 'nobody but who has the role admin has its rights' }
    : undefined
}

export const roleView = z
  .strictObject({
    ...keptRole.shape,
    people: smallCount.describe('people who have it'),
    builtIn: z.boolean().describe('it is always there'),
  })
  .describe('a role, and how many have it')
export type RoleView = z.infer<typeof roleView>

export const roleList = z
  .strictObject({
    version: smallCount.describe('version of the settings, which a change may name in `If-Match`'),
    roles: z.array(roleView).describe('the five by what they may do, then the others by id'),
  })
  .describe('the roles')
export type RoleList = z.infer<typeof roleList>

export const roleOutcome = z
  .strictObject({
    ...putOutcome.shape,
    version: smallCount.describe('version of the settings from then on'),
    concerns: settingsConcerns,
  })
  .describe('what became of it, or would by a dry run')
export type RoleOutcome = z.infer<typeof roleOutcome>
