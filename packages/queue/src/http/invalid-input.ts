/** Input that does not fit its schema: the validation of every route, and its problem. */
import { Problem, type ProblemDocument } from '@courier-fleet/api-types'
import type { FastifySchemaCompiler } from 'fastify'
import type { z } from 'zod'
import { issueWords } from './issue-words.ts'

export type FieldError = NonNullable<ProblemDocument['errors']>[number]

export class InvalidInput extends Problem {
  readonly errors: readonly FieldError[]

  constructor(status: number, errors: readonly FieldError[]) {
    const first = errors[0] as FieldError
    super(status, 'invalid', `${first.field}: ${first.message}`, first.field)
    this.errors = errors
  }
}

/** The dotted path of what is wrong; an unknown property is named itself, and the whole body is `body`. */
function fieldErrors(issue: z.core.$ZodIssue, whole: string): FieldError[] {
  const at = (path: readonly PropertyKey[]) => path.map(String).join('.') || whole
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      field: at([...issue.path, key]),
      code: issue.code,
      message: 'is not known here',
    }))
  }
  return [{ field: at(issue.path), code: issue.code, message: issue.message }]
}

/** @returns undefined-free value of the schema. @throws InvalidInput 422 for a body, 400 for parts of the URL */
export function parseInput<T extends z.ZodType>(schema: T, data: unknown, part = 'body'): z.output<T> {
  const result = schema.safeParse(data, { error: issueWords })
  if (result.success) return result.data
  throw new InvalidInput(
    part === 'body' ? 422 : 400,
    result.error.issues.flatMap((issue) => fieldErrors(issue, part)),
  )
}

export const validatorCompiler: FastifySchemaCompiler<z.ZodType> =
  ({ schema, httpPart }) =>
  (data) => {
    try {
      return { value: parseInput(schema, data, httpPart) }
    } catch (error) {
      return { error: error as Error }
    }
  }
