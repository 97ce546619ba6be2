import { Redis } from 'ioredis'

type SendCommand = Redis['sendCommand']

/** A connection on which something happens between two commands: another client acts, or this process dies. */
export class InterruptedRedis extends Redis {
  /** Called with the name of each command before it goes out; a rejection means it never does. */
  before: ((command: string) => Promise<void> | undefined) | undefined

  override sendCommand(...[command, stream]: Parameters<SendCommand>): ReturnType<SendCommand> {
    const interruption = this.before?.(command.name)
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
    this.before = (command) => {
      if (command !== name) return undefined
      this.before = undefined
      return action().then(() => undefined)
    }
  }
}
