/** A message that does not say by which channels it goes does so by the steps of its type, where that has some. */
import { type MessageBody, type MessageType, Problem, typeOf } from '@courier-fleet/api-types'

type Asking = Pick<MessageBody, 'to' | 'type' | 'channels' | 'steps' | 'whenOnline'>

export interface Stepped<Body> {
  readonly body: Body
  /** the type whose steps they are; absent of the message's own, and where there are none */
  readonly stepsOf?: string
}

/** Who waits to be online is in no step, and a URL is called by http alone: such messages go without. */
export function withStepsOfType<Body extends Asking>(types: readonly MessageType[], body: Body): Stepped<Body> {
  const { steps } = typeOf(types, body.type)
  const saysItself = (body.channels ?? body.steps ?? body.whenOnline) !== undefined
  if (!steps || saysItself || body.to.some((token) => token.startsWith('url:'))) return { body }
  return { body: { ...body, steps }, stepsOf: body.type }
}

/** Whoever wrote the message has said nothing of steps: they are told whose these are, and how to do without. */
export function tellingWhose<T>(stepsOf: string | undefined, check: () => T): T {
  try {
    return check()
  } catch (error) {
    if (stepsOf === undefined || !(error instanceof Problem) || !error.field?.startsWith('steps')) throw error
    const detail = `the type ${stepsOf} has steps (${error.field}): ${error.message}. Say \`channels\` or \`steps\` to go otherwise`
    throw new Problem(error.status, error.code, detail, 'type')
  }
}
