// node_modules/preact/dist/preact.mjs
var e, t, n, r, i, a, o, s, c, l, u = Symbol.for("pv"), d = {}, f = [], p = /^m(i|n|o|s|text|space)$/, m = Array.isArray, h = f.slice, g = Object.assign;
function _(e) {
	e && e.parentNode && e.remove();
}
function v(n, r, i, a, o) {
	var s = {
		type: n,
		props: r,
		key: i,
		ref: a,
		__k: null,
		__: null,
		__b: 0,
		__e: null,
		__c: null,
		constructor: u,
		__v: o || ++t,
		__i: -1,
		__u: 0
	};
	return !o && e.vnode && e.vnode(s), s;
}
function y(e) {
	return e.children;
}
function b(e, t) {
	this.props = e, this.context = t, this.__g = 0;
}
function x(e, t) {
	if (t == null) return e.__ && x(e.__, e.__i + 1);
	for (var n; t < e.__k.length; t++) if ((n = e.__k[t]) && n.__e) return n.__e;
	return typeof e.type != "function" || e.props.__P ? null : x(e);
}
function S(t) {
	var n, r = t.__v, i = r.__e, a = [], o = [], s = t.__P;
	s && ((n = g({ constructor: u }, r)).__v = r.__v + 1, e.vnode && e.vnode(n), N(s, n, r, t.__n, s.namespaceURI, 32 & r.__u ? [i] : null, a, i || x(r), 32 & r.__u, o), n.__v = r.__v, n.__.__k[n.__i] = n, I(a, n, o), r.__ = r.__e = null, n.__e != i && C(n));
}
function C(e) {
	if ((e = e.__) && e.__c && !e.props.__P) return e.__e = null, e.__k.some(function(t) {
		return t && (e.__e = t.__e);
	}), C(e);
}
function w(t) {
	(8 & t.__g || (t.__g |= 8, n.push(t), i++)) && r == e.debounceRendering || ((r = e.debounceRendering) || queueMicrotask)(T);
}
function T() {
	try {
		for (var e, t = 1; n.length;) n.length > t && n.sort(a), e = n.shift(), t = n.length, 8 & e.__g && S(e);
	} finally {
		(i = n.length) && (r || queueMicrotask)(T);
	}
}
function E(e, t, n, r, i, a, o, s, c, l, u) {
	var p, m, h, g, _, v, y = r.__k || f, b = t.length;
	for (c = D(n, t, y, c, b), p = 0; p < b; p++) (h = n.__k[p]) != null && (m = ~h.__i && y[h.__i] || d, h.__i = p, v = N(e, h, m, i, a, o, s, c, l, u), g = h.__e, (m.ref != h.ref || 8 & m.__u) && (m.ref && L(m.ref, null, h, m), h.ref && u.push(h.ref, h.__c || g, h)), _ ||= g, 4 & h.__u ? (c = O(h, c, e, !m.__v), m.__e && (m.__e = null)) : typeof h.type == "function" && v !== void 0 ? c = v : g && (c = g.nextSibling), h.__u &= -21);
	return n.__e = _, c;
}
function D(e, t, n, r, i) {
	var a, o, s, c, l, d, f, p, h, g = n.length, _ = g, b = 0, S = 0, C = e.__k = Array(i);
	for (a = 0; a < i; a++) (o = t[a]) != null && typeof o != "boolean" && typeof o != "function" ? (typeof o != "object" || o.constructor === String ? o = C[a] = v(null, o) : m(o) ? o = C[a] = v(y, { children: o }) : o.constructor === u && o.__b ? o = C[a] = v(o.type, o.props, o.key, o.ref, o.__v) : C[a] = o, c = a + b, o.__ = e, o.__b = e.__b + 1, s = null, ~(l = o.__i = k(o, n, c, _)) && (_--, (s = n[l]) && (s.__u |= 2)), s && s.__v ? (o.__u |= 16, l == c - 1 ? b-- : l == c + 1 ? b++ : l != c && (l > c ? b-- : b++, S = 1)) : (~l || (i > g ? b-- : i < g && b++), typeof o.type != "function" && (o.__u |= 4))) : C[a] = null;
	if (S) {
		for (d = [], f = [], a = 0; a < i; a++) if ((o = C[a]) && 16 & o.__u) {
			for (b = 0, p = d.length; b < p;) d[h = b + p >> 1] < o.__i ? b = h + 1 : p = h;
			d[b] = o.__i, f[a] = b + 1;
		}
		for (b = d.length; a--;) f[a] && (f[a] == b ? b-- : C[a].__u |= 4);
	}
	if (_) for (a = 0; a < g; a++) !(s = n[a]) || 2 & s.__u || (s.__e == r && (r = x(s)), R(s, s));
	return r;
}
function O(e, t, n, r) {
	var i, a, o, s;
	if (typeof e.type == "function") {
		if (e.props.__P) return t;
		if (i = e.__k) for (a = 0; a < i.length; a++) i[a] && (i[a].__ = e, t = O(i[a], t, n, !1));
		return t;
	}
	for (t && !t.parentNode && (t = x(e)) && !t.parentNode && (t = null), o = e.__e, s = t; s && s.nodeType == 8;) s = s.nextSibling;
	for (o != s && (!r && n.moveBefore && o.parentNode ? n.moveBefore(o, t) : n.insertBefore(o, t || null)), t = o; (t &&= t.nextSibling) && t.nodeType == 8 && !t.data.startsWith("$s"););
	return t;
}
function k(e, t, n, r) {
	var i, a = e.key, o = e.type, s = t[n], c = s && !(2 & s.__u);
	if (s === null && a == null || c && a == s.key && o == s.type) return n;
	if (r > +!!c) {
		for (i = n - 1; i >= 0; i--) if ((s = t[i]) && !(2 & s.__u) && a == s.key && o == s.type) return i;
		for (i = n + 1; i < t.length; i++) if ((s = t[i]) && !(2 & s.__u) && a == s.key && o == s.type) return i;
	}
	return -1;
}
function A(e, t, n) {
	n ??= "", t[0] == "-" ? e.setProperty(t, n) : e[t] = n;
}
function j(e, t, n, r, i) {
	var a, o;
	if (t == "style") {
		if (typeof n == "string") e.style.cssText = n;
		else {
			if (typeof r == "string" && (e.style.cssText = r = ""), r) for (t in r) n && t in n || A(e.style, t);
			if (n) for (t in n) r && n[t] == r[t] || A(e.style, t, n[t]);
		}
	} else if (t[0] == "o" && t[1] == "n") typeof n != "function" && (n = null), typeof r != "function" && (r = null), (e.__e ||= {})[t] = n, n && r || (o = l[t] || (l[t] = M(t)), (e.__a ||= {})[t] = c, a = t != (t = t.replace(s, "$1")), (t = t.slice(2))[0] < "a" && (t = t.toLowerCase()), n ? e.addEventListener(t, o, a) : e.removeEventListener(t, o, a));
	else {
		if (i == "http://www.w3.org/2000/svg") t = t.replace(/xlink(H|:h)/, "h").replace(/sName$/, "s");
		else if (t != "width" && t != "height" && t != "href" && t != "list" && t != "form" && t != "tabIndex" && t != "download" && t != "rowSpan" && t != "colSpan" && t != "role" && t != "popover" && t in e) try {
			e[t] = n ?? "";
			return;
		} catch {}
		if (typeof n == "function") return;
		n == null || !1 === n && t[4] != "-" ? e.removeAttribute(t) : e.setAttribute(t, t == "popover" && n == 1 ? "" : n);
	}
}
function M(t) {
	return function(n) {
		var r = this.__e;
		if (r) {
			if (r = r[t], n[o] == null) n[o] = c++;
			else if (n[o] < this.__a[t]) return;
			return r(e.event ? e.event(n) : n);
		}
	};
}
function N(t, n, r, i, a, o, s, c, l, d) {
	var p, h, v, S, C, w, T, D, O, k, A, j, M, N, I, L, z, B, V = n.type;
	if (n.constructor !== u) return null;
	128 & r.__u && (l = 32 & r.__u, p = r.__c.__z) && (n.__u |= l, h = o = [], p.nodeType == 8 ? c = P(p, o) : o.push(p), c = o[0] || c), (p = e.__b) && p(n);
	n: if (typeof V == "function") {
		v = s.length;
		try {
			if (D = n.props, O = (p = V.prototype) && p.render, k = (p = V.contextType) && i[p.__c], A = p ? k ? k.props.value : p.__ : i, (S = r.__c) ? (n.__c = S, 2 & S.__g && (S.__g |= 1)) : (O ? n.__c = S = new V(D, A) : (n.__c = S = new b(D, A), S.constructor = V, S.render = te), k && k.sub(S), S.state || (S.state = {}), S.__n = i, S.__g |= 8, S.__h = [], S.__k = []), O && (S.__s || (S.__s = S.state), V.getDerivedStateFromProps && (S.__s == S.state && (S.__s = g({}, S.__s)), g(S.__s, V.getDerivedStateFromProps(D, S.__s)))), C = S.props, w = S.state, S.__v = n, r.__c) {
				if (D !== C && O && !V.getDerivedStateFromProps && S.componentWillReceiveProps && S.componentWillReceiveProps(D, A), n.__v == r.__v && !(8 & S.__g) || !(4 & S.__g) && S.shouldComponentUpdate && !1 === S.shouldComponentUpdate(D, S.__s, A)) {
					n.__v != r.__v && (S.props = D, S.state = S.__s, S.__g &= -9), n.__e = r.__e, n.__k = r.__k, n.__k.some(function(e) {
						e && (e.__ = n);
					}), f.push.apply(S.__h, S.__k), S.__k = [], S.__h.length && s.push(S), c = x(r);
					break n;
				}
				S.componentWillUpdate && S.componentWillUpdate(D, S.__s, A), O && S.componentDidUpdate && S.__h.push(function() {
					S.componentDidUpdate(C, w, T);
				});
			} else O && !V.getDerivedStateFromProps && S.componentWillMount && S.componentWillMount(), O && S.componentDidMount && S.__h.push(S.componentDidMount);
			S.context = A, S.props = D, S.__P = t, S.__g &= -5, j = e.__r, M = O ? 25 : 0;
			do
				S.__g &= -9, j && j(n), p = S.render(S.props, S.state = S.__s, S.context);
			while (8 & S.__g && ++M < 25);
			O && (f.push.apply(S.__h, S.__k), S.__k = []), S.state = S.__s, S.getChildContext && (i = g({}, i, S.getChildContext())), O && r.__c && S.getSnapshotBeforeUpdate && (T = S.getSnapshotBeforeUpdate(C, w)), N = p && p.type === y && p.key == null ? p.props.children : p, D.__P && (p = c, a = (t = D.__P).namespaceURI, l = o = null, r.props && r.props.__P != t && (r.__k.some(function(e) {
				e && R(e, e);
			}), r.__k = null), c = r.__k ? x(r, 0) : null), c = E(t, m(N) ? N : [N], n, r, i, a, o, s, c, l, d), D.__P && (n.__e = null, c = p), n.__u &= -161, h && h.some(_), S.__h.length && s.push(S), 1 & S.__g && (S.__g &= -4);
		} catch (t) {
			if (s.length = v, n.__v = null, l || o) {
				if (t && t.then) {
					if (n.__u |= 128 | l, o) {
						for (~(z = o.indexOf(c || void 0)) || (z = o.length); (B = o[z - 1]) && B.nodeType == 8;) z--;
						for (; z < o.length; z++) if (B = o[z]) {
							if (o[z] = null, I) {
								if (B == L) break;
							} else {
								if (B.nodeType != 8) break;
								B.data.startsWith("$s") && (L = P(I = B));
							}
						}
					}
					if (!I) {
						for (; c && c.nodeType == 8 && c.nextSibling;) c = c.nextSibling;
						I = c;
					}
					(p = P(I = n.__c.__z || (n.__c.__z = I))) ? (n.__e = I, c = p) : n.__e = c, c &&= c.nextSibling;
				} else o && o.some(_);
			} else n.__e = r.__e;
			n.__k ||= r.__k || [], t && t.then || F(n), e.__e(t, n, r);
		}
	} else c = n.__e = ee(r.__e, n, r, i, a, o, s, l, d, t);
	return (p = e.diffed) && p(n), c;
}
function P(e, t) {
	if (e && e.nodeType == 8 && e.data.startsWith("$s")) for (var n = 1; e = e.nextSibling;) {
		if (e.nodeType == 8) {
			if (e.data.startsWith("$s")) n++;
			else if (e.data.startsWith("/$s") && !--n) return e;
		}
		t && t.push(e);
	}
}
function F(e) {
	e && (e.__c && (e.__c.__g |= 4), e.__k && e.__k.some(F));
}
function I(t, n, r) {
	for (var i = 0; i < r.length;) L(r[i++], r[i++], r[i++]);
	e.__c && e.__c(n, t), t.some(function(n) {
		try {
			t = n.__h, n.__h = [], t.some(function(e) {
				e.call(n);
			});
		} catch (t) {
			e.__e(t, n.__v);
		}
	});
}
function ee(t, n, r, i, a, o, s, c, l, u) {
	var f, g, v, y, b, S, C, w, T = r.props || d, D = n.props, O = n.type;
	if (O == "svg" ? a = "http://www.w3.org/2000/svg" : O == "math" ? a = "http://www.w3.org/1998/Math/MathML" : a ||= "http://www.w3.org/1999/xhtml", o) {
		for (f = 0; f < o.length; f++) if ((b = o[f]) && (O ? b.localName == O : b.nodeType == 3)) {
			t = b, o[f] = null;
			break;
		}
	}
	if (!t) {
		if (w = u.ownerDocument || document, !O) return w.createTextNode(D);
		t = w.createElementNS(a, O, D.is ? D : u), c &&= (e.__m && e.__m(n, o), !1), o = null;
	}
	if (O) {
		if (u = O == "template" && t.content || t, o = O == "textarea" && D.defaultValue != null ? null : o && h.call(u.childNodes), !c && o) for (T = {}, f = 0; f < t.attributes.length; f++) T[(b = t.attributes[f]).name] = b.value;
		for (f in T) b = T[f], f == "dangerouslySetInnerHTML" ? v = b : f == "children" || f in D || f == "value" && "defaultValue" in D || f == "checked" && "defaultChecked" in D || j(t, f, null, b, a);
		for (f in D) b = D[f], f == "children" ? y = b : f == "dangerouslySetInnerHTML" ? g = b : f == "value" ? S = b : f == "checked" ? C = b : c && typeof b != "function" || T[f] === b || j(t, f, b, T[f], a);
		g ? (c || v && (g.__html == v.__html || g.__html == t.innerHTML) || (t.innerHTML = g.__html), n.__k = []) : (v && (t.textContent = ""), (O == "foreignObject" || a == "http://www.w3.org/1998/Math/MathML" && p.test(O)) && (a = "http://www.w3.org/1999/xhtml"), E(u, m(y) ? y : [y], n, r, i, a, o, s, o ? o[0] : r.__k && x(r, 0), c, l), o && o.some(_)), c && O != "textarea" || (f = "value", O == "progress" && S == null ? t.removeAttribute(f) : S == null || S === t[f] && (O != "progress" || S) || j(t, f, S, T[f], a), f = "checked", C != null && C != t[f] && j(t, f, C, T[f], a));
	} else T === D || c && t.data == D || (t.data = D);
	return t;
}
function L(t, n, r, i) {
	try {
		typeof t == "function" ? n ? n.__x = t(n) || 1 : (i &&= i.__c || i.__e) && (n = i.__x) && (i.__x = null, typeof n == "function" ? n() : t(null)) : t.current = n;
	} catch (t) {
		e.__e(t, r);
	}
}
function R(t, n, r) {
	var i, a, o, s;
	if (e.unmount && e.unmount(t), !(i = t.ref) || i.current && i.current != t.__e || L(i, null, n, t), i = t.__c) {
		if (i.componentWillUnmount) try {
			i.componentWillUnmount();
		} catch (t) {
			e.__e(t, n);
		}
		i.__P = i.__n = null;
	}
	if (i = t.__k) for (s = 0; s < i.length; s++) i[s] && R(i[s], n, typeof t.type != "function" || r && !t.props.__P);
	!r && (i = t.__c) && (i = i.__z) && (a = P(i, o = [])) && (i == t.__e && o.some(_), _(a), _(i)), r || _(t.__e), t.__e = t.__c = t.__ = null;
}
function te(e, t, n) {
	return this.constructor(e, n);
}
e = { __e: function(e, t, n, r) {
	for (var a, o, s; t = t.__;) if ((a = t.__c) && !(1 & a.__g)) {
		a.__g |= 4;
		try {
			if ((s = (o = a.constructor) && o.getDerivedStateFromError) && a.setState(o.getDerivedStateFromError(e)), a.componentDidCatch && (a.componentDidCatch(e, r || {}), s = 1), s && 8 & a.__g) return void (a.__g |= 2);
		} catch (t) {
			e = t;
		}
	}
	throw i = 0, e;
} }, t = 0, b.prototype.setState = function(e, t) {
	var n = this.__s;
	n && n != this.state || (n = this.__s = g({}, this.state)), typeof e == "function" && (e = e(g({}, n), this.props)), e && (g(n, e), this.__v && (t && this.__k.push(t), w(this)));
}, b.prototype.forceUpdate = function(e) {
	this.__v && (this.__g |= 4, e && this.__h.push(e), w(this));
}, b.prototype.render = y, n = [], i = 0, a = function(e, t) {
	return e.__v.__b - t.__v.__b;
}, o = Symbol(), s = /(PointerCapture)$|Capture$/i, c = 0, l = {};
// src/wire/json.ts
function z(e) {
	return typeof e == "object" && !!e;
}
Object.defineProperty(BigInt.prototype, "toJSON", {
	configurable: !0,
	value() {
		let e = JSON.rawJSON;
		return e ? e(String(this)) : Number(this);
	}
});
function B(e) {
	let t = `proscenium.kept.${e}`, n = (e) => {
		try {
			return e();
		} catch {
			return;
		}
	};
	return {
		read: () => n(() => sessionStorage.getItem(t)) ?? void 0,
		write: (e) => n(() => e ? sessionStorage.setItem(t, e) : sessionStorage.removeItem(t))
	};
}
// src/host/peer.ts
var V = -32601, ne = 3e4, re = class {
	#e;
	#t;
	#n = /* @__PURE__ */ new Map();
	#r = (e) => this.#a(e);
	#i = 1;
	constructor(e, t) {
		this.#e = e, this.#t = t, window.addEventListener("message", this.#r);
	}
	close() {
		window.removeEventListener("message", this.#r);
	}
	post(e) {
		this.#e()?.postMessage(e, "*");
	}
	notify(e, t = {}) {
		this.post({
			jsonrpc: "2.0",
			method: e,
			params: t
		});
	}
	request(e, t, n = ne) {
		let r = `p${this.#i++}`;
		return new Promise((i, a) => {
			let o = setTimeout(() => {
				this.#n.delete(r), a({
					code: 0,
					message: `${e} was not answered`
				});
			}, n);
			this.#n.set(r, {
				timer: o,
				settle: (e) => e.error ? a(e.error) : i(z(e.result) ? e.result : void 0)
			}), this.post({
				jsonrpc: "2.0",
				id: r,
				method: e,
				params: t
			});
		});
	}
	#a(e) {
		let t = this.#e(), n = e.data;
		if (t && e.source === t && z(n) && (n.jsonrpc === "2.0" && typeof n.method != "string" || this.#t.admits?.(n.method) !== !1)) {
			if (n.jsonrpc !== "2.0") this.#t.plain?.(n);
			else if (typeof n.method == "string") this.#o(n.method, n);
			else {
				let { id: e } = n;
				if (typeof e != "string") return;
				let t = this.#n.get(e);
				if (!t) return;
				this.#n.delete(e), clearTimeout(t.timer), t.settle(n);
			}
		}
	}
	#o(e, t) {
		let n = z(t.params) ? t.params : {};
		if (t.id === void 0) return this.#t.notification(e, n);
		let r = (e) => this.post({
			jsonrpc: "2.0",
			id: t.id,
			...e
		}), i = this.#t.request(e, n);
		if (!i) return r({ error: {
			code: V,
			message: `Method not found: ${e}`
		} });
		i.then((e) => r({ result: e ?? {} }), (e) => r({ error: {
			code: e?.code ?? -32603,
			message: e?.message ?? "Internal error"
		} }));
	}
}, ie = 6, ae = 50, H = 1e3;
function U(e, t = 0) {
	if (typeof e == "string") return e.length > H ? `${e.slice(0, H)}\u2026` : e;
	if (typeof e == "number" || typeof e == "boolean" || e === null) return e;
	if (!z(e) || t >= ie) return;
	if (Array.isArray(e)) return e.slice(0, ae).map((e) => U(e, t + 1) ?? null);
	let n = Object.create(null);
	for (let r of Object.keys(e).slice(0, ae)) {
		let i = U(e[r], t + 1);
		i !== void 0 && (n[r.slice(0, H)] = i);
	}
	return n;
}
function W(e, t = ["https:", "http:"]) {
	if (!(typeof e != "string" || e.length > 4096)) try {
		let n = new URL(e);
		return t.includes(n.protocol) && !n.username && !n.password ? n : void 0;
	} catch {
		return;
	}
}
var G = class {
	#e;
	#t;
	#n;
	#r;
	#i;
	constructor(e, t, n = () => performance.now()) {
		this.#e = e, this.#t = this.#r = t, this.#n = n, this.#i = n();
	}
	take() {
		let e = this.#n();
		return this.#r = Math.min(this.#t, this.#r + (e - this.#i) / 1e3 * this.#e), this.#i = e, this.#r < 1 ? !1 : (--this.#r, !0);
	}
}, oe = "2026-01-26", K = -32602, se = 2e4, ce = 64, le = 50, ue = 200, q = 240, de = "proscenium/paper", J = "--paper-height", fe = "proscenium/keep", pe = "proscenium/confirm", me = "ui/notifications/size-changed";
function he(e, t) {
	let n = t.theme, r = "inline", i = new G(le, ue), a = new G(q, q), o = !1, s = new re(() => e.contentWindow, {
		admits: (e) => {
			if (e === me) return a.take();
			let n = i.take();
			return !n && !o && t.observed({ kind: "frame-flooding" }), o ||= !n, n;
		},
		request(i, a) {
			switch (i) {
				case "ui/initialize": return Promise.resolve({
					protocolVersion: oe,
					hostInfo: t.info,
					hostCapabilities: {
						openLinks: {},
						experimental: {
							...t.keeper ? { [fe]: {} } : {},
							...t.confirm ? { [pe]: {} } : {}
						},
						...t.relay ? {
							serverTools: {},
							serverResources: {}
						} : {}
					},
					hostContext: {
						theme: n,
						locale: navigator.language,
						timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
						platform: "web",
						displayMode: r,
						availableDisplayModes: t.display ? ["inline", "fullscreen"] : ["inline"],
						containerDimensions: { maxWidth: e.clientWidth },
						"proscenium/coveredTop": t.coveredTop,
						"proscenium/kept": t.keeper?.read()
					}
				});
				case "ui/open-link": return d(a.url);
				case "ui/request-display-mode": return a.mode !== r && (a.mode === "inline" || a.mode === "fullscreen") && (r = t.display?.(a.mode) ?? r), Promise.resolve({ mode: r });
				case "ui/message": return t.rings(), Promise.resolve({});
				case pe: return t.confirm?.(X(a.action), a.data).then((e) => ({ agreed: e }));
				case "tools/call": return t.relay?.tool(a);
				case "resources/read": return t.relay?.resource(a);
				case "ping": return Promise.resolve({});
				default: return;
			}
		},
		notification(n, r) {
			let i = Math.min(Math.max(Number(r.height), 0), se), a = n === me && Number.isFinite(i);
			a && t.height(i), (a ? !e.style.getPropertyValue(J) : n === de && i > 0) && e.style.setProperty(J, `${i}px`), n === fe && typeof r.text == "string" && r.text.length <= 3e5 && t.keeper?.write(r.text);
		},
		plain(e) {
			let n = Y(U(e)), r = Y(n.event);
			n.type === "ggui:bootstrap-failed" ? l({
				reason: X(n.reason),
				message: X(n.message)
			}) : n.type === "ggui:lifecycle" ? u(r) : n.type === "ggui:observe" && ge(r.kind) && t.observed({
				...r,
				kind: r.kind
			});
		}
	}), c, l = (e) => {
		c !== (c = JSON.stringify(e)) && t.failed(e);
	}, u = (e) => {
		let t = Y(e.error);
		e.state === "error" ? l({
			reason: X(t.code),
			message: X(t.message)
		}) : e.state === "code-ready" && l(null);
	}, d = async (e) => {
		let n = W(e);
		if (!n) throw {
			code: K,
			message: "only http and https links can be opened"
		};
		if (!await t.openLink(n)) throw {
			code: K,
			message: "the person declined"
		};
		return {};
	};
	return {
		theme(e) {
			n = e, s.notify("ui/notifications/host-context-changed", { theme: n });
		},
		display(e) {
			e !== r && (r = e, s.notify("ui/notifications/host-context-changed", { displayMode: r }));
		},
		close: () => s.close()
	};
}
function ge(e) {
	return typeof e == "string" && e !== "" && e.length <= ce;
}
function Y(e) {
	return z(e) ? e : {};
}
function X(e) {
	return typeof e == "string" ? e : "";
}
// src/strings.ts
var Z = {
	authentication: "Authentication failed \u2014 contact support.",
	tooMany: "Too many requests \u2014 please slow down.",
	expired: "Your session expired.",
	production: "We couldn't generate that UI \u2014 try a simpler request.",
	unavailable: "The server is temporarily unavailable.",
	other: "Something went wrong."
}, _e = new Map([
	[Z.authentication, "UNAUTHENTICATED UNAUTHORIZED BOOTSTRAP_INVALID BOOTSTRAP_SESSION_MISMATCH BOOTSTRAP_APP_MISMATCH BOOTSTRAP_NOT_SUPPORTED APP_MISMATCH AUTH_REJECTED 401 403 -32001"],
	[Z.tooMany, "RATE_LIMITED 429 -32013"],
	[Z.expired, "SESSION_NOT_FOUND SESSION_EXPIRED session_expired BOOTSTRAP_EXPIRED EXPIRED_BOOTSTRAP -32002"],
	[Z.production, "PRODUCTION_FAILED -32004"],
	[Z.unavailable, "APPEND_FAILED SESSION_CREATE_FAILED PIPE_NOT_FOUND WS_HANDSHAKE_FAILED 500 502 503 504 -32603"]
].flatMap(([e, t]) => t.split(" ").map((t) => [t, e])));
function ve(e, t = Z.other) {
	return _e.get(String(e)) ?? t;
}
var Q = {
	label: "Interface of an agent",
	failed: "This interface could not be shown.",
	openText: "The interface wants to open this address in a new tab:",
	open: "Open",
	cancel: "Cancel"
}, ye = "\n:host { display: block; }\n:host([hidden]) { display: none; }\n@media print { iframe { block-size: var(--paper-height) !important; } }\niframe:not([hidden]) { display: block; inline-size: 100%; border: 0; color-scheme: inherit; }\n[part=\"failed\"] { margin: 0; padding: 24px; text-align: center; font: 15px/1.5 system-ui, sans-serif; }\ndialog { max-inline-size: min(480px, calc(100vw - 32px)); font: 15px/1.5 system-ui, sans-serif; border: 1px solid; border-radius: 12px; padding: 20px; }\ndialog p { margin: 0 0 12px; overflow-wrap: anywhere; }\ndialog button { font: inherit; padding: 6px 14px; margin-inline-end: 8px; }\n", be = class extends HTMLElement {
	static observedAttributes = [
		"src",
		"theme",
		"label"
	];
	relay;
	#e;
	#t = !1;
	#n = this.attachShadow({ mode: "open" });
	#r = matchMedia("(prefers-color-scheme: dark)");
	#i = () => this.#e?.theme(this.#c());
	connectedCallback() {
		this.#r.addEventListener("change", this.#i), this.#t = !0, this.#a();
	}
	disconnectedCallback() {
		this.#r.removeEventListener("change", this.#i), this.#t = !1, this.#s();
	}
	attributeChangedCallback(e) {
		this.#t && (e === "src" ? this.#a() : e === "theme" ? this.#e?.theme(this.#c()) : this.#n.querySelector("iframe")?.setAttribute("title", this.#l()));
	}
	#a() {
		this.#s();
		let e = this.getAttribute("src");
		if (e === null) return;
		let t = document.createElement("style");
		t.textContent = ye, this.#n.append(t);
		let n = URL.canParse(e, location.href) ? W(new URL(e, location.href).href) : void 0;
		if (!n) return this.#o({
			reason: "INVALID_SRC",
			message: "src has to be an http or https address, without a name and a password in it"
		});
		n.pathname = `${n.pathname.replace(/\/$/, "")}/frame`;
		let r = document.createElement("iframe");
		r.setAttribute("sandbox", "allow-scripts allow-forms"), r.title = this.#l(), r.style.blockSize = "160px", r.src = n.href, this.#n.append(r), this.#u("stage-state", { state: "loading" });
		let { relay: i } = this;
		this.#e = he(r, {
			info: {
				name: "proscenium-stage",
				version: "1"
			},
			theme: this.#c(),
			keeper: B(n.href),
			height: (e) => r.style.blockSize = `${e}px`,
			failed: (e) => {
				r.hidden = e !== null, this.#n.querySelector("[part='failed']")?.remove(), e ? this.#o(e) : this.#u("stage-state", { state: "ready" });
			},
			observed: (e) => this.#u("stage-observe", e),
			rings: () => this.#u("stage-rings", null),
			openLink: (e) => this.#d(e),
			relay: i && {
				tool: (e) => i.callTool({
					...e,
					name: String(e.name)
				}),
				resource: (e) => i.readResource({
					...e,
					uri: String(e.uri)
				})
			}
		});
	}
	#o(e) {
		this.#n.append($(ve(e.reason, Q.failed), "failed")), this.#u("stage-state", {
			state: "failed",
			...e
		});
	}
	#s() {
		this.#e?.close(), this.#e = void 0, this.#n.replaceChildren();
	}
	#c() {
		let e = this.getAttribute("theme");
		return e === "light" || e === "dark" ? e : this.#r.matches ? "dark" : "light";
	}
	#l() {
		return this.getAttribute("label") ?? Q.label;
	}
	#u(e, t) {
		return this.dispatchEvent(new CustomEvent(e, {
			detail: t,
			bubbles: !0,
			composed: !0,
			cancelable: e === "stage-link"
		}));
	}
	async #d(e) {
		if (this.#n.querySelector("dialog") || navigator.userActivation?.isActive === !1) return !1;
		if (!this.#u("stage-link", { url: e.href })) return !0;
		let t = document.createElement("dialog"), n = (e, n) => {
			let r = document.createElement("button");
			return r.textContent = e, r.onclick = () => t.close(n), r;
		};
		return t.append($(Q.openText), $(e.href), n(Q.cancel, ""), n(Q.open, "open")), this.#n.append(t), t.showModal(), await new Promise((e) => t.addEventListener("close", e, { once: !0 })), t.remove(), t.returnValue === "open" && (window.open(e, "_blank", "noopener,noreferrer"), !0);
	}
};
function $(e, t = "") {
	let n = document.createElement("p");
	return n.textContent = e, t && n.setAttribute("part", t), n;
}
customElements.get("proscenium-stage") || customElements.define("proscenium-stage", be);
export { be as ProsceniumStage };
