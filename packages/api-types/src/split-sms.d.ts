declare module 'split-sms' {
  const splitSms: {
    split(text: string): {
      characterSet: 'GSM' | 'Unicode'
      parts: { content: string }[]
      remainingInPart: number
    }
  }
  export default splitSms
}
