/** What the reference page looks like and how it is searched. Their hashes stand in the content security policy. */

export const docsStyle = `:root{color-scheme:light dark;background:Canvas;color:CanvasText}body{background:Canvas;font:16px/1.5 system-ui,sans-serif;max-width:64rem;margin:0 auto;padding:1rem;overflow-wrap:anywhere}
header{position:sticky;top:0;background:Canvas;padding:.5rem 0;border-bottom:1px solid GrayText}
header input{font:inherit;width:min(30rem,100%);padding:.3rem .5rem;box-sizing:border-box}
h1{font-size:1.4rem;margin:.2rem 0}h3{font-size:1.05rem;margin:2rem 0 0}h4{font-size:1rem;margin:.8rem 0 0}
section,article{scroll-margin-top:8rem}pre{overflow:auto;padding:.5rem;border:1px solid GrayText}
p{margin:.3rem 0;white-space:pre-line}dl{margin:.2rem 0 .2rem 1rem}dd{margin:0 0 .4rem 1rem}[hidden]{display:none}`

/** Every word has to stand somewhere in what is shown; `/` goes to the field, as in many references. */
export const docsScript = `const field=document.querySelector('input[type=search]')
const parts=[...document.querySelectorAll('article')].map(at=>({at,text:at.textContent.toLowerCase()}))
const found=document.querySelector('output')
const search=()=>{const words=field.value.toLowerCase().split(/\\s+/).filter(Boolean);let shown=0
for(const{at,text}of parts){at.hidden=!words.every(word=>text.includes(word));if(!at.hidden)shown++}
for(const group of document.querySelectorAll('main>section'))group.hidden=!group.querySelector('article:not([hidden])')
found.textContent=words.length?shown+' found':''}
field.addEventListener('input',search)
addEventListener('hashchange',()=>{if(document.querySelector(location.hash||'body')?.closest('[hidden]')){field.value='';search();document.querySelector(location.hash).scrollIntoView()}})
addEventListener('keydown',event=>{if(event.key==='/'&&event.target!==field&&!event.ctrlKey&&!event.metaKey){event.preventDefault();field.focus()}})
document.querySelector('search').hidden=false;search()`
