/** The styles of the widget's shadow root. */
import { declarations } from './theme.ts'

const DARK = declarations(1)

export const STYLE = `
:host{all:initial!important;display:block!important;color-scheme:light dark!important;${declarations(0)}--font:15px;--prompt:14px;--button-size:56px}
@media(prefers-color-scheme:dark){:host([data-theme=auto]){${DARK}}}
:host([data-theme=dark]){color-scheme:dark!important;${DARK}}
:host([data-theme=light]){color-scheme:light!important}
:host([data-mode=inline]){height:100%!important;min-height:20rem!important}
.chat,.bubble{font:400 var(--font)/1.5 Inter,system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;color:var(--text)}
*{box-sizing:border-box}
h2,h3,h4,p,ul,ol,pre,blockquote,figure,dl{margin:0;padding:0}
button,input,select,textarea{font:inherit;color:inherit;letter-spacing:inherit}
button{cursor:pointer;border:0;background:none;padding:0}
button:disabled,[aria-disabled=true]{cursor:default;opacity:.55}
:focus{outline:none}
:focus-visible{outline:2px solid var(--ring);outline-offset:2px}
.hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
svg{display:block;width:20px;height:20px;fill:none;stroke:currentColor;stroke-width:2;stroke-linecap:round;stroke-linejoin:round}

.bubble{position:fixed;z-index:2147483000;bottom:20px;right:20px;display:grid;place-items:center;width:var(--button-size);height:var(--button-size);border-radius:50%;background:var(--button);color:var(--icon);box-shadow:0 6px 20px rgb(0 0 0/.22)}
.bubble:focus-visible{outline:3px solid var(--ring);outline-offset:3px}
.bubble svg{width:46%;height:46%}
.bubble img{width:100%;height:100%;border-radius:50%;object-fit:cover}
:host([data-position=left]) .bubble{right:auto;left:20px}
.panel{position:fixed;z-index:2147483000;right:20px;bottom:calc(var(--button-size) + 32px);width:400px;height:min(660px,calc(100dvh - var(--button-size) - 52px));border-radius:16px;overflow:hidden;box-shadow:0 12px 40px rgb(0 0 0/.25);animation:rise .16s ease-out}
:host([data-position=left]) .panel{right:auto;left:20px}
@keyframes rise{from{opacity:0;transform:translateY(12px)}}
@media(max-width:480px){.panel,:host([data-position=left]) .panel{inset:0;width:100%;height:100dvh;border-radius:0}.panel~.bubble{display:none}}
@media(prefers-reduced-motion:reduce){*{animation:none!important;transition:none!important}}

.chat{display:flex;flex-direction:column;height:100%;background:var(--background);color:var(--text)}
:host([data-mode=inline]) .chat{border:1px solid var(--line);border-radius:16px;overflow:hidden}
header{display:flex;align-items:center;gap:8px;padding:10px 12px 10px 16px;background:var(--title);color:var(--title-text);flex:none}
header :focus-visible{outline-color:currentColor}
header h2{flex:1;min-width:0;font-size:16px;font-weight:600;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
header img{width:32px;height:32px;border-radius:50%;object-fit:cover}
.icon{display:grid;place-items:center;width:36px;height:36px;border-radius:10px;flex:none}
header>.icon:first-child{margin-inline-start:auto}
header .icon:hover{background:rgb(127 127 127/.25)}
.log{flex:1;min-height:0;overflow-y:auto;overscroll-behavior:contain;padding:16px;display:flex;flex-direction:column;gap:12px}
.turn{display:contents}
.message{max-width:88%;padding:10px 14px;border-radius:16px;overflow-wrap:anywhere;align-self:flex-start;background:var(--bot);color:var(--bot-text)}
.message.user{align-self:flex-end;background:var(--user);color:var(--user-text);white-space:pre-wrap}
.row{display:flex;gap:8px;align-items:flex-end;align-self:stretch}
.row.user{flex-direction:row-reverse}
.row>img{width:28px;height:28px;border-radius:50%;object-fit:cover;flex:none}
.under{display:flex;flex-direction:column;gap:8px;align-self:stretch}
.status{color:var(--muted);font-size:13px}
.error{color:var(--error);align-self:flex-start;overflow-wrap:anywhere}
.prose>*+*{margin-top:.6em}
.prose h3,.prose h4{font-size:1.05em;font-weight:600}
.prose ul,.prose ol{padding-inline-start:1.4em}
.prose a{color:inherit;text-decoration:underline;text-underline-offset:2px}
.prose code{font:.9em ui-monospace,Menlo,Consolas,monospace;background:rgb(127 127 127/.18);padding:.1em .3em;border-radius:5px}
pre{font:.86em/1.45 ui-monospace,Menlo,Consolas,monospace;white-space:pre;overflow-x:auto;background:rgb(127 127 127/.14);padding:10px;border-radius:10px}
.prose pre code{background:none;padding:0;font:inherit}
.prose blockquote{border-inline-start:3px solid var(--line);padding-inline-start:10px}
.prose hr{border:0;border-top:1px solid var(--line)}
.scroll{overflow-x:auto}
table{border-collapse:collapse;font-size:.92em}
th,td{border:1px solid var(--line);padding:4px 8px;text-align:start}
.dots{display:inline-flex;gap:4px;padding:4px 0}
.dots i{width:7px;height:7px;border-radius:50%;background:currentColor;opacity:.35;animation:dot 1.1s infinite}
.dots i:nth-child(2){animation-delay:.15s}.dots i:nth-child(3){animation-delay:.3s}
@keyframes dot{40%{opacity:1}}
.chips{display:flex;flex-wrap:wrap;gap:8px}
.chip{border:1px solid var(--control);border-radius:14px;padding:6px 12px;text-align:start;font-size:var(--prompt);background:var(--background);color:var(--text);overflow-wrap:anywhere}
.chip:hover:enabled{background:var(--soft)}
.solid{background:var(--accent);color:var(--accent-text);border-radius:12px;padding:8px 14px;font-weight:500}
.plain{border:1px solid var(--control);border-radius:12px;padding:7px 14px}
.small{display:grid;place-items:center;width:30px;height:30px;border-radius:8px;color:var(--muted)}
.small svg{width:16px;height:16px}
.small:hover,.small[aria-pressed=true]{background:var(--soft);color:var(--text)}
.tools{display:flex;align-items:center;gap:2px}
.pictures{display:flex;flex-direction:column;gap:8px;list-style:none}
.pictures img{max-width:100%;max-height:20rem;border-radius:12px}
details{font-size:13px;color:var(--muted)}
summary{cursor:pointer;min-height:24px}
.sources{list-style:none;display:flex;flex-direction:column;gap:6px;margin-top:4px}
.sources a{color:var(--link);overflow-wrap:anywhere}
.sources p{white-space:pre-wrap;overflow-wrap:anywhere;max-height:10rem;overflow-y:auto;color:var(--text)}
form{display:flex;flex-direction:column;gap:10px}
.fields{padding:14px 16px;border-top:1px solid var(--line);max-height:60%;overflow-y:auto;flex:none}
label{display:flex;flex-direction:column;gap:4px;font-size:14px}
label.check{flex-direction:row;align-items:center;gap:8px}
.check input{width:18px;height:18px;accent-color:var(--accent)}
.field,textarea{width:100%;border:1px solid var(--control);border-radius:10px;padding:8px 10px;background:var(--input);color:var(--input-text)}
.composer{border-top:1px solid var(--line);padding:10px 12px;flex:none;gap:8px}
.composer .line{display:flex;align-items:flex-end;gap:6px}
.composer textarea{flex:1;min-width:0;resize:none;border-radius:14px;min-height:42px;max-height:9rem;field-sizing:content}
::placeholder{color:inherit;opacity:.72}
.send{display:grid;place-items:center;width:42px;height:42px;border-radius:14px;background:var(--accent);color:var(--accent-text);flex:none}
.files{display:flex;flex-wrap:wrap;gap:6px;list-style:none}
.files li{display:flex;align-items:center;gap:4px;max-width:100%;border:1px solid var(--line);border-radius:10px;padding:2px 4px 2px 10px;font-size:13px}
.files span{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.message .files li{border-color:currentColor;padding:2px 10px}
.thumb{max-width:12rem;max-height:9rem;border-radius:10px;display:block}
footer{padding:0 12px 10px;text-align:center;font-size:12px;color:var(--footer-text);flex:none}
footer a{color:inherit}
`
