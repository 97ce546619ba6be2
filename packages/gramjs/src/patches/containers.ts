import { RPCError } from 'telegram/errors/index.js'
import type { MTProtoSender } from 'telegram/network/index.js'
import { insideSender } from '../gramjs-internals.ts'

const containerId = String(0x73f1f8dc)

/**
 * Defect: gramjs stops at the first error inside a container, and the calls answered behind it hang although Telegram has
 * done what they asked. Here every item of a container is dealt with on its own; an error has already been given to the
 * call it belongs to.
 */
export function patchContainers(sender: MTProtoSender, onFault: (error: unknown) => void): void {
  const inside = insideSender(sender)
  inside._handlers[containerId] = async (container) => {
    for (const message of container.obj.messages) {
      try {
        await inside._processMessage(message)
      } catch (error) {
        if (!(error instanceof RPCError)) onFault(error)
      }
    }
  }
}
