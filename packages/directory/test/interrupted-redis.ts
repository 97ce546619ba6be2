import { scriptSha } from '@courier-fleet/store'
import { Redis } from 'ioredis'

type SendCommand = Redis['sendCommand']

/** A connection on which something happens between two commands: another client acts, or this process dies. */
export class InterruptedRedis extends Redis {
  /** Called with the name of each command, and for a script its hash, before it goes out; a rejection means it never does. */
  before: ((command: string, sha: unknown) => Promise<void> | undefined) | undefined

  override sendCommand(...[command, stream]: Parameters<SendCommand>): ReturnType<SendCommand> {
    const interruption = this.before?.(command.name, command.args[0])
    if (!interruption) return super.sendCommand(command, stream)
    interruption.then(() => super.sendCommand(command, stream), command.reject)
    return command.promise
  }

  /** Only so many commands more go out. */
  dieAfter(commands: number): void {
    let left = commands
    this.before = () => (left-- > 0 ? undefined : Promise.reject(new Error('died')))
  }

  /** Before the first command of this name, `action` runs to its end. */
  interruptBefore(name: string, action: () => Promise<unknown>): void {
    this.#interrupt((command) => command === name, action)
  }

  /** Before the first call of lua/<name>.lua, `action` runs to its end. */
  interruptBeforeScript(name: string, action: () => Promise<unknown>): void {
    this.#interrupt((command, sha) => command === 'evalsha' && sha === scriptSha(name), action)
  }

  #interrupt(is: (command: string, sha: unknown) => boolean, action: () => Promise<unknown>): void {
    this.before = (command, sha) => {
      if (!is(command, sha)) return undefined
      this.before = undefined
      return action().then(() => undefined)
    }
  }
}
