/** A message that names a stored text says what the text says: its words and its type, in one version of it from then on. */
import { defaultType, hasMarks, type MessageBody, Problem, textsIn } from '@courier-fleet/api-types'
import type { StoredTemplate, Templates } from '@courier-fleet/store'

type Named = Pick<MessageBody, 'text' | 'language' | 'fields' | 'template' | 'type'>

/** @throws Problem 422 `unknown-template` */
export async function filledFromTemplate<Body extends Named>(
  templates: Pick<Templates, 'newest' | 'version'>,
  body: Body,
): Promise<Body> {
  if (!body.template) return body
  const { content, ...found } = await findTemplate(templates, body.template)
  const { text, language } = content
  const hasFields = textsIn(text).some(hasMarks)
  return {
    ...body,
    text,
    ...(language === undefined ? {} : { language }),
    ...(hasFields ? { fields: body.fields ?? {} } : {}),
    type: body.type === defaultType ? (content.type ?? defaultType) : body.type,
    template: { id: found.id, version: found.version },
  }
}

async function findTemplate(
  templates: Pick<Templates, 'newest' | 'version'>,
  { id, version }: NonNullable<MessageBody['template']>,
): Promise<StoredTemplate> {
  const newest = await templates.newest(id)
  if (!newest) throw unknownTemplate(`there is no template "${id}"`)
  if (newest.content.archived) throw unknownTemplate(`the template "${id}" was archived: choose another`)
  if (version === undefined || version === newest.version) return newest
  const found = await templates.version(id, version)
  if (found && !found.content.archived) return found
  throw unknownTemplate(`version ${version} of the template "${id}" is not kept, its newest is ${newest.version}`)
}

const unknownTemplate = (detail: string) => new Problem(422, 'unknown-template', detail, 'template')
